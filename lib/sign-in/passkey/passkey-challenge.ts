import { sha256 } from '#lib/crypto/hash'
import { openToken, sealToken, type TokenKind } from '#lib/crypto/sealed-token'
import { browserOf, sentBrowser } from '#lib/http/browser-id'
import type { Context } from '#lib/server/compose/context'

/** A challenge for a passkey to sign, and its use; nothing is stored until it is spent. */
export type PasskeyChallenge = {
  use: 'signin' | 'signup' | 'add'
  challenge: string
  /** The owner of the new passkey; empty for a sign-in, where the passkey names its owner. */
  personId: string
}

const kind: TokenKind = { purpose: 'seal-passkey', seconds: 300, longest: 2048 }

/** Makes a challenge, sealed for this browser; the page sends it back with the passkey's response. */
export async function makeChallenge(
  context: Context,
  request: Request,
  about: Omit<PasskeyChallenge, 'challenge'>,
): Promise<{ challenge: string; sealed: string; cookie: string | undefined }> {
  const browser = browserOf(context, request)
  const challenge = context.random(32).toString('base64url')
  const content: PasskeyChallenge = { ...about, challenge }
  const sealed = await sealToken(context, kind, { browser: browser.hash }, content)
  return { challenge, sealed, cookie: browser.setCookie }
}

/** Opens a challenge that was made for this browser and this use. */
export async function openChallenge(
  context: Context,
  request: Request,
  sealed: string,
  use: PasskeyChallenge['use'],
): Promise<PasskeyChallenge | undefined> {
  const browser = sentBrowser(context, request.headers.get('cookie'))
  const challenge = await openToken<PasskeyChallenge>(context, kind, { browser }, sealed)
  return challenge?.use === use ? challenge : undefined
}

/** Returns true the first time: a challenge is used once (WebAuthn §13.4.3). */
export const spendChallenge = (context: Context, { challenge }: PasskeyChallenge): Promise<boolean> =>
  context.oauth.store.rememberAssertion(
    `passkey:${sha256(challenge)}`,
    new Date(context.now().getTime() + kind.seconds * 1000 + 60_000),
  )
