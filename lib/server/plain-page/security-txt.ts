import type { Config } from '#lib/server/settings/config'

/** Days that a copy of the file counts. RFC 9116 §2.5.5 recommends less than a year. */
const days = 180

/**
 * Returns /.well-known/security.txt (RFC 9116) of both hosts, which says where to report a vulnerability of this
 * installation; 404 without SECURITY_CONTACT. Expires moves on each day.
 */
export function securityTxt({ securityContact, issuer, accountUrl }: Config, now: Date): Response {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=86400' }
  if (!securityContact) return new Response('There is nothing at this address.\n', { status: 404, headers })
  const expires = new Date(now.getTime() + days * 86_400_000)
  expires.setUTCHours(0, 0, 0, 0)
  const lines = [
    `Contact: ${securityContact}`,
    `Expires: ${expires.toISOString()}`,
    ...[issuer, accountUrl].map((origin) => `Canonical: ${origin}/.well-known/security.txt`),
  ]
  return new Response(`${lines.join('\n')}\n`, { headers })
}
