import type { Site } from './site.ts'

type Urls = Pick<Site['config'], 'issuer' | 'accountUrl'>

/**
 * Returns the headers of every page. Omits form-action, which Chromium also applies to the redirect after a form and which
 * would block the return to the app, and the opener policy, because apps sign in through popups. RFC 9700 §4.16: no framing.
 */
export function pageHeaders(urls: Urls, nonce: string, development = false): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`,
    // Next's development overlay has inline styles; with a nonce, browsers would ignore 'unsafe-inline'.
    development ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' ${urls.issuer} data:`,
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    // The letters of an evaluation, which are sandboxed; every other page of ours refuses to be in a frame.
    "frame-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    'content-security-policy': policy.join('; '),
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    // With no-referrer, browsers would send "Origin: null" with our own forms.
    'referrer-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), publickey-credentials-get=(self)',
    'cache-control': 'no-store',
    ...transport(urls.accountUrl),
  }
}

/** Returns the headers of every protocol response: no document, no framing, no sniffing. */
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

/** CORS headers for every origin: these endpoints use no cookies, so a foreign page gains nothing. */
export const openToBrowsers = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'WWW-Authenticate, Retry-After, Date, DPoP-Nonce, x-fapi-interaction-id',
}

/** Returns the handler of a CORS preflight. Names Authorization, which `*` does not cover. */
export const preflight = (methods: string) => () =>
  new Response(null, {
    status: 204,
    headers: {
      ...openToBrowsers,
      'access-control-allow-methods': methods,
      'access-control-allow-headers': 'Authorization, Content-Type, DPoP, x-fapi-interaction-id',
      'access-control-max-age': '86400',
    },
  })

// The front door removes these headers from a client's request and sets its own.

/** The address of the client. */
export const addressHeader = 'x-postern-client'

/** Present when the client is on this machine. */
export const localHeader = 'x-postern-local'

/** Contains the placeholders that the sign-in page shows instead of accounts when it is rendered for many browsers. */
export const placeholdersHeader = 'x-postern-placeholders'
