import type { Site } from './site.ts'

type Urls = Pick<Site['config'], 'issuer' | 'accountUrl'>

/**
 * Headers of every page. No form-action (Chromium applies it to the redirect after the form and would block the
 * return to the app) and no opener policy (apps sign in through popups). RFC 9700 §4.16: no framing.
 */
export function pageHeaders(urls: Urls, nonce: string, development = false): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`,
    // Next's development overlay brings inline styles, which a nonce would switch off again.
    development ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' ${urls.issuer} data:`,
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    'content-security-policy': policy.join('; '),
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    // no-referrer would make browsers send "Origin: null" with our own forms.
    'referrer-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), publickey-credentials-get=(self)',
    'cache-control': 'no-store',
    ...transport(urls.accountUrl),
  }
}

/** Headers of every protocol answer: never a document, never framed, never sniffed. */
export function endpointHeaders(urls: Urls): Record<string, string> {
  return {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...transport(urls.issuer),
  }
}

const transport = (url: string): Record<string, string> =>
  url.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}

/** Any web page may call these endpoints, without cookies: they answer to what is in the request alone. */
export const openToBrowsers = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'WWW-Authenticate, Retry-After, Date',
}

/** The answer to a browser's preflight; `*` would not cover Authorization. */
export const preflight = (methods: string) => () =>
  new Response(null, {
    status: 204,
    headers: {
      ...openToBrowsers,
      'access-control-allow-methods': methods,
      'access-control-allow-headers': 'Authorization, Content-Type',
      'access-control-max-age': '86400',
    },
  })

const texts = new WeakMap<Response, string>()

/** A Response whose text can be sent without being read back out of a stream: the front door answers thousands a second. */
export function textResponse(text: string, init: ResponseInit): Response {
  const response = new Response(text, init)
  texts.set(response, text)
  return response
}

/** The text a response was made of, where it was made here. */
export const knownTextOf = (response: Response): string | undefined => texts.get(response)

// The front door drops these headers of a client and sets its own.

/** The address of the client. */
export const addressHeader = 'x-postern-client'

/** Present where the client is on this machine. */
export const localHeader = 'x-postern-local'
