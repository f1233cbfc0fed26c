import type { DerivedKeys } from '#lib/crypto/derived-keys'
import { openSealed } from '#lib/crypto/seal'
import { namesPurpose, openToken, sealToken, type TokenKind } from '#lib/crypto/sealed-token'
import type { FactorStore } from '#lib/sign-in/second-factor/store'

type Sealer = { secrets: DerivedKeys; now(): Date }

const stored: TokenKind = { purpose: 'totp-of-person', seconds: Number.POSITIVE_INFINITY, longest: 1024 }
const setUp: TokenKind = { purpose: 'totp-set-up', seconds: 3600, longest: 1024 }

/**
 * Seals the secret of a person's authenticator app for the database, so that a copy of the database yields no codes.
 */
export const sealStoredTotp = (sealer: Sealer, personId: string, secret: Uint8Array): string =>
  sealToken(sealer, stored, { person: personId }, encode(secret))

/** Opens a person's stored secret, also in the old format without a person (`upgradeStoredTotp`). */
export function openStoredTotp(sealer: Sealer, personId: string, sealed: string): Buffer | undefined {
  if (!namesPurpose(stored.purpose, sealed)) return openNameless(sealer, sealed)
  return decode(openToken<string>(sealer, stored, { person: personId }, sealed))
}

/** Returns the secret of a person's authenticator app; undefined for one that was lost with its master key. */
export async function findTotpSecret(
  context: Sealer & { factors: Pick<FactorStore, 'findTotp'> },
  personId: string,
): Promise<Buffer | undefined> {
  const totp = await context.factors.findTotp(personId)
  if (!totp || totp.sealedSecret === '') return undefined
  const secret = openStoredTotp(context, personId, totp.sealedSecret)
  if (!secret) throw new Error('A stored authenticator secret cannot be opened with SECRET_KEY.')
  return secret
}

/** Seals a stored secret of the old format for its person; returns undefined for any other. */
export async function upgradeStoredTotp(sealer: Sealer, personId: string, sealed: string): Promise<string | undefined> {
  const secret = namesPurpose(stored.purpose, sealed) ? undefined : openNameless(sealer, sealed)
  return secret && sealStoredTotp(sealer, personId, secret)
}

/** Seals a new secret for the form that confirms it. The form rejects a stored secret in its place. */
export const sealTotpSetUp = (sealer: Sealer, personId: string, secret: Uint8Array): string =>
  sealToken(sealer, setUp, { person: personId }, encode(secret))

/** Opens the sealed secret of this person's set-up form. */
export const openTotpSetUp = (sealer: Sealer, personId: string, sealed: string): Buffer | undefined =>
  decode(openToken<string>(sealer, setUp, { person: personId }, sealed))

/** Opens a secret that was stored before secrets named their person. */
function openNameless({ secrets }: Sealer, sealed: string): Buffer | undefined {
  const bytes = openSealed(secrets.all('totp-at-rest'), sealed)
  return bytes && Buffer.from(bytes)
}

const encode = (secret: Uint8Array) => Buffer.from(secret).toString('base64url')
const decode = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text, 'base64url'))
