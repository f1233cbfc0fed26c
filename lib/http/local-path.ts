/** A path on this host, safe as a `Location`; anything that could lead elsewhere becomes `/`. */
export function localPath(wanted: string | null | undefined): string {
  if (!wanted?.startsWith('/') || !URL.canParse(wanted, nowhere)) return '/'
  const { origin, pathname, search, hash } = new URL(wanted, nowhere)
  // A dot segment can leave a path that begins with two slashes: browsers read that as another host.
  return origin !== nowhere || pathname.startsWith('//') ? '/' : pathname + search + hash
}

const nowhere = 'http://nowhere.invalid'
