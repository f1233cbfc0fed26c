import { useTranslations } from 'next-intl'
import { profileLimits } from '#lib/account/person/person-rules'
import type { ProfileProblemCode } from '#lib/account/profile/profile'
import type { Flash } from '#lib/http/flash'

/** Returns the texts of the form's problems. */
export function useProfileProblems(reported: Flash['problems']) {
  const t = useTranslations('profile.problems')
  return reported.flatMap(({ field, code }) => {
    const known = codes.find((one) => one === code)
    const most = field === 'biography' ? profileLimits.biography : profileLimits.name
    return known && field ? [{ field, text: t(known, { most }) }] : []
  })
}

const codes: readonly ProfileProblemCode[] = [
  'name_long',
  'name_characters',
  'nickname_long',
  'nickname_characters',
  'biography_long',
  'biography_characters',
  'birthdate_unreal',
  'birthdate_future',
  'choice',
]
