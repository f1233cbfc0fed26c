import type { Outbound } from '#lib/http/outbound'
import { type IsLeaked, openLookup } from '#lib/sign-in/password/leaked-passwords'
import { type EstimateStrength, openEstimator } from '#lib/sign-in/password/strength/estimate-strength'
import type { Parts } from './parts.ts'

/** The parts that judge a new password. */
export type PasswordParts = { estimateStrength: EstimateStrength; isLeaked: IsLeaked }

/** Composes what judges a new password: the estimate of its strength, and the look-up among stolen ones. */
export function composePasswords({ config, log }: Pick<Parts, 'config' | 'log'>, outbound: Outbound) {
  const { estimate, close } = openEstimator()
  const isLeaked = openLookup({ url: config.passwordLookupUrl, outbound, log })
  return { parts: { estimateStrength: estimate, isLeaked } satisfies PasswordParts, close }
}
