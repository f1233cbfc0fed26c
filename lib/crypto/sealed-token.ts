import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { DerivedKeys, TokenPurpose } from './derived-keys.ts'
import { claimedType, openSealed, sealBytes } from './seal.ts'

/**
 * A kind of sealed token: its purpose and its limits. Each kind is declared in the module that seals and opens its
 * tokens.
 */
export type TokenKind = {
  /** Selects the key; also the readable `typ` of the token. */
  purpose: TokenPurpose
  /** Lifetime in seconds after sealing. */
  seconds: number
  /** The greatest length in characters; a longer token never opens. */
  longest: number
  /**
   * Compresses the content. Not for content with a secret beside attacker-controlled text: the length would leak the
   * secret.
   */
  isDeflated?: true
}

/**
 * The person, the app or the browser that may use a token, by id. `bearer` is for tokens of requests that identify neither,
 * for example on the issuer's host, which gets no cookies, and for the session cookie, whose secrets identify the sessions.
 */
export type Holder = { person: string } | { app: string } | { browser: string } | 'bearer'

/** The holder that a request claims to be; a browser without an id opens no token. */
export type Presenter = Holder | { browser: undefined }

type Sealer = { secrets: DerivedKeys; now(): Date }

type Content = { owner: string; at: number; value: unknown }

/** Seals a value for one purpose and one holder, with the current time. */
export function sealToken(sealer: Sealer, kind: TokenKind, holder: Holder, value: unknown): string {
  const content: Content = { owner: ownerOf(holder) ?? '', at: sealer.now().getTime(), value }
  const text = JSON.stringify(content)
  const bytes = kind.isDeflated ? deflateRawSync(text) : Buffer.from(text)
  return sealBytes(sealer.secrets.current(kind.purpose), bytes, kind.purpose)
}

/** Returns the value of a token of this kind; undefined if it belongs to another holder or has expired. */
export function openToken<Value>(
  sealer: Sealer,
  kind: TokenKind,
  presenter: Presenter,
  sealed: string,
): Value | undefined {
  const token = inspectToken<Value>(sealer, kind, presenter, sealed)
  return token?.isOwn ? token.value : undefined
}

/**
 * Like `openToken`, but also returns the value of a token of another holder, so that the caller can explain the
 * refusal.
 */
export function inspectToken<Value>(
  { secrets, now }: Sealer,
  kind: TokenKind,
  presenter: Presenter,
  sealed: string,
): { value: Value; isOwn: boolean } | undefined {
  if (sealed.length > kind.longest || !namesPurpose(kind.purpose, sealed)) return undefined
  const bytes = openSealed(secrets.all(kind.purpose), sealed)
  if (!bytes) return undefined
  const text = Buffer.from(kind.isDeflated ? inflateRawSync(bytes) : bytes).toString('utf8')
  const { owner, at, value } = JSON.parse(text) as Content
  if (now().getTime() - at >= kind.seconds * 1000) return undefined
  return { value: value as Value, isOwn: owner === ownerOf(presenter) }
}

/** Returns whether a text claims to be a token of this purpose; only opening the token proves that. */
export const namesPurpose = (purpose: TokenPurpose, sealed: string): boolean => claimedType(sealed) === purpose

/** The bearer has the empty owner: ids of people and browsers are never empty. */
function ownerOf(presenter: Presenter): string | undefined {
  if (presenter === 'bearer') return ''
  if ('app' in presenter) return presenter.app
  return 'person' in presenter ? presenter.person : presenter.browser
}
