import { sha256 } from '#lib/crypto/hash'
import { openSealed, sealBytes } from '#lib/crypto/seal'
import { browserOf } from '#lib/http/cookies'
import type { Context } from '#lib/server/compose/context'

/** What a passkey is asked to sign, and what for; nothing is stored until it is used. */
export type PasskeyChallenge = {
  use: 'signin' | 'signup' | 'add'
  challenge: string
  /** Whose the passkey will be; for signing in the passkey itself says so. */
  personId: string
}

const lifetime = 300_000
type Sealed = PasskeyChallenge & { browser: string; at: number }

/** A new challenge, sealed for this browser; the page sends it back with the answer. */
export async function makeChallenge(
  context: Context,
  request: Request,
  about: Omit<PasskeyChallenge, 'challenge'>,
): Promise<{ challenge: string; sealed: string; cookie: string | undefined }> {
  const browser = browserOf(context, request.headers.get('cookie'))
  const challenge = context.random(32).toString('base64url')
  const told: Sealed = { ...about, challenge, browser: browser.hash, at: context.now().getTime() }
  const key = context.secrets.current('seal-passkey')
  return { challenge, sealed: await sealBytes(key, Buffer.from(JSON.stringify(told))), cookie: browser.setCookie }
}

/** The challenge of this browser's, within five minutes. */
export async function openChallenge(
  context: Context,
  request: Request,
  sealed: string,
  use: PasskeyChallenge['use'],
): Promise<PasskeyChallenge | undefined> {
  const bytes = sealed.length <= 2048 ? await openSealed(context.secrets.all('seal-passkey'), sealed) : undefined
  if (!bytes) return undefined
  const told = JSON.parse(Buffer.from(bytes).toString('utf8')) as Sealed
  const ours = told.use === use && told.browser === browserOf(context, request.headers.get('cookie')).hash
  return ours && context.now().getTime() - told.at < lifetime ? told : undefined
}

/** True the first time; what was signed once is worth nothing afterwards (WebAuthn §13.4.3). */
export const spendChallenge = (context: Context, { challenge }: PasskeyChallenge): Promise<boolean> =>
  context.oauth.store.rememberAssertion(
    `passkey:${sha256(challenge)}`,
    new Date(context.now().getTime() + lifetime + 60_000),
  )
