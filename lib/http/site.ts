import type { DerivedKeys } from '#lib/crypto/derived-keys'
import type { Locale } from '#lib/text/messages'

/** The parts that every handler needs: addresses and name of the installation, keys, clock and randomness. */
export type Site = {
  config: { issuer: string; accountUrl: string; serviceName: string; letterLanguages: readonly Locale[] }
  secrets: DerivedKeys
  now(): Date
  random(bytes: number): Buffer
}
