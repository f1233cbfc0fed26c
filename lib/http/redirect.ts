import { textResponse } from './lean.ts'

/** Redirects with 303: the browser follows with GET, also after a POST (RFC 9700 §4.12). */
export function goTo(location: string, cookies: (string | undefined)[] = []): Response {
  const response = textResponse('', { status: 303, headers: { location, 'cache-control': 'no-store' } })
  for (const cookie of new Set(cookies)) if (cookie) response.headers.append('set-cookie', cookie)
  return response
}

/** Returns a path with query parameters; omits those that are undefined. */
export function pathWith(path: string, parameters: Record<string, string | undefined>): string {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path
}

/** Returns a path on this host that is safe as a `Location`; `/` for anything that could lead to another host. */
export function localPath(wanted: string | null | undefined): string {
  // URL parsing returns a path of plain names, such as /account/security, unchanged.
  if (wanted && /^(?:\/[\w-]+)+$/.test(wanted)) return wanted
  if (!wanted?.startsWith('/') || !URL.canParse(wanted, nowhere)) return '/'
  const { origin, pathname, search, hash } = new URL(wanted, nowhere)
  // Resolving dot segments can leave a path that begins with two slashes, which browsers read as a host.
  return origin !== nowhere || pathname.startsWith('//') ? '/' : pathname + search + hash
}

const nowhere = 'http://nowhere.invalid'
