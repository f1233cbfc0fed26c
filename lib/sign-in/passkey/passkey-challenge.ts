import { sha256 } from '#lib/crypto/hash'
import { openToken, sealToken, type TokenKind } from '#lib/crypto/sealed-token'
import { browserOf, sentBrowser } from '#lib/http/cookies'
import type { Site } from '#lib/http/site'
import type { OAuthStore } from '#lib/oauth/store'

/** A challenge for a passkey to sign, and its use; nothing is stored until it is spent. */
export type PasskeyChallenge = {
  use: 'signin' | 'signup' | 'add'
  challenge: string
  /** The owner of the new passkey; empty for a sign-in, where the passkey names its owner. */
  personId: string
  /** When it was made, in milliseconds; absent in one of an earlier version. */
  madeAt?: number
}

/** The store that remembers spent challenges, and the clock. */
export type ChallengeContext = { oauth: { store: Pick<OAuthStore, 'rememberAssertion'> }; now(): Date }

const kind: TokenKind = { purpose: 'seal-passkey', seconds: 300, longest: 2048 }

/** Makes a challenge, sealed for this browser; the page sends it back with the passkey's response. */
export async function makeChallenge(
  site: Site,
  request: Request,
  about: Omit<PasskeyChallenge, 'challenge' | 'madeAt'>,
): Promise<{ challenge: string; sealed: string; cookie: string | undefined }> {
  const browser = browserOf(site, request)
  const challenge = site.random(32).toString('base64url')
  const content: PasskeyChallenge = { ...about, challenge, madeAt: site.now().getTime() }
  const sealed = sealToken(site, kind, { browser: browser.hash }, content)
  return { challenge, sealed, cookie: browser.setCookie }
}

/** Opens a challenge that was made for this browser and this use. */
export async function openChallenge(
  site: Site,
  request: Request,
  sealed: string,
  use: PasskeyChallenge['use'],
): Promise<PasskeyChallenge | undefined> {
  const browser = sentBrowser(site, request.headers.get('cookie'))
  const challenge = openToken<PasskeyChallenge>(site, kind, { browser }, sealed)
  return challenge?.use === use ? challenge : undefined
}

/** Returns true the first time: a challenge is used once (WebAuthn §13.4.3). */
export const spendChallenge = (context: ChallengeContext, { challenge, madeAt }: PasskeyChallenge): Promise<boolean> =>
  context.oauth.store.rememberAssertion(
    `passkey:${sha256(challenge)}`,
    new Date(context.now().getTime() + kind.seconds * 1000 + 60_000),
    new Date(madeAt ?? context.now()),
  )
