import type { DerivedKeys } from '#lib/crypto/derived-keys'
import { isSealedFor, openOwned, sealOwned } from '#lib/crypto/owned-seal'
import { openSealed } from '#lib/crypto/seal'

type Sealer = { secrets: DerivedKeys; now(): Date }

const setUpSeconds = 3600

/** Seals the secret of a person's authenticator app for the database: a copy of the database is no second factor. */
export const sealStoredTotp = (sealer: Sealer, personId: string, secret: Uint8Array): Promise<string> =>
  sealOwned(sealer, { purpose: 'totp-of-person', owner: personId }, encode(secret))

/** Opens a person's stored secret, also in the form of before, which named nobody (`upgradeStoredTotp`). */
export async function openStoredTotp(sealer: Sealer, personId: string, sealed: string): Promise<Buffer | undefined> {
  if (!isSealedFor('totp-of-person', sealed)) return openNameless(sealer, sealed)
  return decode(await openOwned<string>(sealer, { purpose: 'totp-of-person', owner: personId }, sealed))
}

/** Seals a stored secret of the form of before for its person; undefined for all others. */
export async function upgradeStoredTotp(sealer: Sealer, personId: string, sealed: string): Promise<string | undefined> {
  const secret = isSealedFor('totp-of-person', sealed) ? undefined : await openNameless(sealer, sealed)
  return secret && sealStoredTotp(sealer, personId, secret)
}

/** Seals a new secret for the form that confirms it: for this person, for an hour. Nothing stored opens in its place. */
export const sealTotpSetUp = (sealer: Sealer, personId: string, secret: Uint8Array): Promise<string> =>
  sealOwned(sealer, { purpose: 'totp-set-up', owner: personId }, encode(secret))

/** Opens the sealed secret of this person's set-up form. */
export async function openTotpSetUp(sealer: Sealer, personId: string, sealed: string): Promise<Buffer | undefined> {
  if (sealed.length > 1024) return undefined
  return decode(await openOwned<string>(sealer, { purpose: 'totp-set-up', owner: personId }, sealed, setUpSeconds))
}

async function openNameless({ secrets }: Sealer, sealed: string): Promise<Buffer | undefined> {
  const bytes = await openSealed(secrets.all('totp-at-rest'), sealed)
  return bytes && Buffer.from(bytes)
}

const encode = (secret: Uint8Array) => Buffer.from(secret).toString('base64url')
const decode = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text, 'base64url'))
