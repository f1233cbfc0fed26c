import { openToken, sealToken, type TokenKind } from '#lib/crypto/sealed-token'

type Sealer = Parameters<typeof sealToken>[0]

/** The stored value of the header Authorization that the receiver of an app demands (RFC 8935 §3). */
const kind: TokenKind = { purpose: 'event-receiver', seconds: Number.POSITIVE_INFINITY, longest: 8192 }

/** Seals the value for one app, so that a row copied to another app opens nothing. */
export const sealAuthorization = (sealer: Sealer, appId: string, value: string): string =>
  sealToken(sealer, kind, { app: appId }, value)

/** Returns the value; undefined if none is stored. */
export function openAuthorization(sealer: Sealer, appId: string, sealed: string): string | undefined {
  if (sealed === '') return undefined
  const value = openToken<string>(sealer, kind, { app: appId }, sealed)
  if (value === undefined) throw new Error('A stored Authorization value cannot be opened with SECRET_KEY.')
  return value
}
