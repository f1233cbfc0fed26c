import type { Config } from '#lib/server/settings/config'

type Site = Pick<Config, 'issuer' | 'accountUrl'>

/**
 * Headers of every page. No form-action (Chromium applies it to the redirect after the form and would block the
 * return to the app) and no opener policy (apps sign in through popups). RFC 9700 §4.16: no framing.
 */
export function pageHeaders(site: Site, nonce: string, development = false): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`,
    // Next's development overlay brings inline styles, which a nonce would switch off again.
    development ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' ${site.issuer} data:`,
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
    ...transport(site.accountUrl),
  }
}

/** Headers of every protocol answer: never a document, never framed, never sniffed. */
export function endpointHeaders(site: Site): Record<string, string> {
  return {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...transport(site.issuer),
  }
}

const transport = (url: string): Record<string, string> =>
  url.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}
