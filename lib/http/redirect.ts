/** A 303: the browser fetches the next address, whatever led here (RFC 9700 §4.12). */
export function goTo(location: string, cookies: (string | undefined)[] = []): Response {
  const headers = new Headers({ location, 'cache-control': 'no-store' })
  for (const cookie of new Set(cookies)) if (cookie) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}

/** A path of ours with parameters; absent ones are left out. */
export function pathWith(path: string, parameters: Record<string, string | undefined>): string {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path
}

/** A path on this host, safe as a `Location`; anything that could lead elsewhere becomes `/`. */
export function localPath(wanted: string | null | undefined): string {
  if (!wanted?.startsWith('/') || !URL.canParse(wanted, nowhere)) return '/'
  const { origin, pathname, search, hash } = new URL(wanted, nowhere)
  // A dot segment can leave a path that begins with two slashes: browsers read that as another host.
  return origin !== nowhere || pathname.startsWith('//') ? '/' : pathname + search + hash
}

const nowhere = 'http://nowhere.invalid'
