import { useTranslations } from 'next-intl'
import { Field } from '#app/_ui/field.tsx'
import { profileLimits } from '#lib/account/person/person-rules'
import type { Flash } from '#lib/http/flash'

/** Asks a person without a name for one, which is then stored in the profile. */
export function NameField({ typed, problems }: { typed: string | undefined; problems: Flash['problems'] }) {
  const t = useTranslations('consent')
  const words = useTranslations('profile.problems')
  const codes = ['name_long', 'name_characters'] as const
  const code = codes.find((known) => problems.some((problem) => problem.code === known))
  return (
    <Field
      label={t('addName')}
      optional
      name="name"
      autoComplete="name"
      maxLength={profileLimits.name * 2}
      defaultValue={typed}
      problem={code && words(code, { most: profileLimits.name })}
    />
  )
}
