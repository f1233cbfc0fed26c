/**
 * Returns whether `htu` names an endpoint. Ignores query and fragment (RFC 9449 §4.3 check 9), and normalises scheme,
 * host, default port and percent-encoding (RFC 3986 §6.2.2, §6.2.3).
 */
export function isTarget(htu: string, endpoint: string): boolean {
  const target = normalised(htu)
  return target !== undefined && target === normalised(endpoint)
}

function normalised(uri: string): string | undefined {
  // The parser of URLs also accepts spaces, backslashes and missing slashes.
  if (!/^https?:\/\/[\x21-\x5b\x5d-\x7e]+$/i.test(uri) || !URL.canParse(uri)) return undefined
  const { origin, pathname, username, password } = new URL(uri)
  return username || password ? undefined : `${origin}${decodeUnreserved(pathname)}`
}

/** Decodes percent-encoded unreserved characters, and writes the other codes in upper case (RFC 3986 §6.2.2). */
const decodeUnreserved = (path: string): string =>
  path.replaceAll(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return /[A-Za-z0-9\-._~]/.test(character) ? character : code.toUpperCase()
  })
