import { useTranslations } from 'next-intl'
import { useDuration } from '#app/_ui/use-duration.ts'
import type { Flash } from '#lib/http/flash'

/** Returns the texts of problems with addresses and codes, each with its field. */
export function useAddressProblems(reported: Flash['problems']) {
  const t = useTranslations('bindEmail.problems')
  const duration = useDuration()
  return reported.flatMap(({ field, code, wait = 0, left = 0 }) => {
    const known = codes.find((one) => one === code)
    return known ? [{ ...(field && { field }), text: t(known, { seconds: wait, time: duration(wait), left }) }] : []
  })
}

const codes = [
  'address_missing',
  'address_invalid',
  'address_relay',
  'address_same',
  'code_missing',
  'code_wrong',
  'code_spent',
  'wait',
  'too_many',
  'not_sent',
] as const
