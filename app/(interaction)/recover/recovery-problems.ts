import { useTranslations } from 'next-intl'
import { useAddressProblems } from '#app/_mail/address-problems.ts'
import { useDuration } from '#app/_ui/use-duration.ts'
import type { Flash } from '#lib/http/flash'

/**
 * Returns the texts of recovery problems; those that can also occur when binding an address have the same texts
 * there.
 */
export function useRecoveryProblems(reported: Flash['problems']) {
  const t = useTranslations('recover.problems')
  const duration = useDuration()
  const own = reported.flatMap(({ field, code, wait }) => {
    const known = codes.find((one) => one === code)
    return known ? [{ ...(field && { field }), text: t(known, { time: duration(wait) }) }] : []
  })
  const shared = useAddressProblems(reported.filter(({ code }) => !codes.some((one) => one === code)))
  return [...own, ...shared]
}

const codes = [
  'login_missing',
  'code_wrong',
  'expired',
  'link_over',
  'slow_down',
  'too_many',
  'password_missing',
  'password_short',
  'password_long',
  'password_common',
  'password_leaked',
] as const
