import { isLoopback } from '#lib/text/loopback'
import { at, type Report, reportDuplicates } from '#lib/text/read-fields'

/** The app and issuer a redirect URI is registered for. */
export type RedirectUriCase = { kind: 'confidential' | 'public' | 'assertion'; issuerIsLoopback: boolean }

/** Checks a list of URIs that browsers may be redirected to. */
export function checkRedirectUris(uris: readonly string[], list: string, app: RedirectUriCase, report: Report) {
  if (uris.length > 50) report(list, 'must name at most 50')
  for (const [index, uri] of uris.entries()) {
    const problem = redirectUriProblem(uri, app)
    if (problem) report(at(list, index), problem)
  }
  reportDuplicates(
    uris.map((key, index) => ({ key, path: at(list, index) })),
    report,
  )
}

/** Returns why a redirect URI cannot be registered, or undefined when it can (spec §5.9; RFC 9700 §2.1; RFC 8252 §7). */
export function redirectUriProblem(uri: string, app: RedirectUriCase): string | undefined {
  return spellingProblem(uri) ?? schemeProblem(uri, app)
}

/**
 * Returns why Postern cannot send requests to a URI, or undefined when it can. The URI must be absolute, without a
 * fragment (Back-Channel Logout 1.0 §2.2), and https except in an evaluation.
 */
export const fetchedUriProblem = (uri: string, issuerIsLoopback: boolean): string | undefined =>
  redirectUriProblem(issuerIsLoopback ? uri.replace(/^http:/i, 'https:') : uri, {
    kind: 'confidential',
    issuerIsLoopback: false,
  })

/** Checks the text of the URI, since redirect URIs are compared as exact strings. */
function spellingProblem(uri: string): string | undefined {
  if (uri === '') return 'must not be empty'
  if (uri.length > 2000) return 'must have at most 2000 characters'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the rule rejects control characters
  if (/[\u0000-\u0020\u007f]/.test(uri)) return 'must not hold spaces or control characters'
  if (/[^\u0021-\u007e]/.test(uri)) return 'must be ASCII: percent-encode the path, write the host in punycode'
  if (uri.includes('#')) return 'must not have a fragment (#…)'
  if (uri.includes('*')) return 'must not hold a wildcard (*): the match is exact'
  if (/[<>"\\^`{|}]/.test(uri)) return 'holds a character that no URI may hold; percent-encode it'
  if (/%(?![0-9A-Fa-f]{2})/.test(uri)) return 'holds a % that begins no percent-encoding'
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?]*@/.test(uri)) return 'must not hold a user name or password'
  return undefined
}

function schemeProblem(uri: string, app: RedirectUriCase): string | undefined {
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(uri)?.[1]?.toLowerCase()
  if (scheme === undefined) return 'must be absolute: https://host/path'
  if (scheme === 'https' || scheme === 'http') return webProblem(uri, scheme, app)
  if (!isPrivateUse(scheme)) return `must be https; the scheme ${scheme}: cannot be registered`
  if (app.kind !== 'public') return `must be https; only an app of kind public may use the scheme ${scheme}:`
  if (!uri.slice(scheme.length + 1).startsWith('/')) return `must go on with a slash: ${scheme}:/callback`
  return URL.canParse(uri) ? undefined : 'is not a URI'
}

/** A private-use scheme is a reversed domain name of the app's maker, so it contains a dot (RFC 8252 §7.1). */
const isPrivateUse = (scheme: string) => /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+$/.test(scheme)

function webProblem(uri: string, scheme: 'http' | 'https', app: RedirectUriCase): string | undefined {
  const host = /^https?:\/\/(\[[0-9A-Fa-f:.]+\]|[^/?:]+)/i.exec(uri)?.[1]?.toLowerCase()
  if (host === undefined || !URL.canParse(uri)) return `is not a URI: ${scheme}:// needs a host`
  if (scheme === 'https') return undefined
  // Compares the text, not the parsed host: 127.1 and 0x7f.1 are the same address, but are not accepted.
  if (app.kind === 'public' && (host === '127.0.0.1' || host === '[::1]')) return undefined
  if (app.issuerIsLoopback && isLoopback(host)) return undefined
  return `must be https${httpAllowed(app)}`
}

function httpAllowed({ kind, issuerIsLoopback }: RedirectUriCase): string {
  if (issuerIsLoopback) return ' (http only on a loopback host, such as http://localhost:8080/callback)'
  return kind === 'public' ? ' (http only on 127.0.0.1 or [::1])' : ''
}
