import { isLoopback } from '#lib/text/loopback'
import type { Client } from './client.ts'
import { profileOf } from './profile.ts'

/**
 * Compares exactly with the registered URIs (specification §4.2, RFC 9700 §2.1). If the profile of the app permits any
 * port of a loopback address (RFC 8252 §7.3), compares without this port.
 */
export function isRegisteredRedirect(
  { redirectUris, profile, kind }: Pick<Client, 'redirectUris' | 'profile' | 'kind'>,
  uri: string,
): boolean {
  if (redirectUris.includes(uri)) return true
  const portless = profileOf(profile).anyLoopbackPort.includes(kind) ? withoutPort(uri) : undefined
  return portless !== undefined && redirectUris.some((registered) => withoutPort(registered) === portless)
}

/** Returns a redirect URI of a loopback address without its port; undefined for any other URI. */
function withoutPort(uri: string): string | undefined {
  const [, host, port = '80', rest = ''] =
    /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::(\d{1,5}))?([/?].*)?$/s.exec(uri) ?? []
  return host === undefined || Number(port) > 65_535 ? undefined : `${host}${rest}`
}

/** Adds parameters to a redirect URI, keeping its own query as it is. */
export function withParameters(uri: string, parameters: Record<string, string | undefined>): string {
  const pairs = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const added = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  return `${uri}${separatorAfter(uri)}${added}`
}

/** The first question mark begins the query; any later question mark belongs to the query. */
function separatorAfter(uri: string): '' | '?' | '&' {
  const query = uri.indexOf('?')
  if (query === -1) return '?'
  return query === uri.length - 1 || uri.endsWith('&') ? '' : '&'
}

/** Returns whether a URI leads to an app on the device: a loopback address or a private-use scheme (RFC 8252 §7.1, §7.3). */
export function isOnDevice(uri: string): boolean {
  const { protocol, hostname } = new URL(uri)
  if (protocol !== 'https:' && protocol !== 'http:') return true
  return isLoopback(hostname)
}
