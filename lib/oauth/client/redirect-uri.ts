import { isLoopback } from '#lib/text/loopback'
import type { Client } from './client.ts'

/** Compares exactly with the registered URIs (specification §4.2, RFC 9700 §2.1). */
export const isRegisteredRedirect = (client: Pick<Client, 'redirectUris'>, uri: string): boolean =>
  client.redirectUris.includes(uri)

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
