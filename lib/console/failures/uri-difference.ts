import { splitUri, type UriParts } from './mask.ts'

/** Why a URI that was sent is not the registered one. */
const uriReasons = [
  'none',
  'trailing_slash',
  'scheme',
  'host',
  'port',
  'user',
  'path',
  'case',
  'extra_query',
  'missing_query',
  'query',
  'fragment',
  'invisible',
] as const
export type UriReason = (typeof uriReasons)[number]

/** A stretch of both URIs; in one that differs, either side may be empty. */
export type UriStretch = { registered: string; sent: string; isEqual: boolean }

/** Two URIs in stretches, and every reason why they differ. */
export type UriDifference = { stretches: UriStretch[]; reasons: UriReason[] }

/** Returns the registered URI that shares the most characters at both ends with the URI sent; undefined if there is none. */
export function closestUri(sent: string, registered: readonly string[]): string | undefined {
  let best: { uri: string; shared: number } | undefined
  for (const uri of registered) {
    const { start, end } = sharedEnds(uri.toLowerCase(), sent.toLowerCase())
    const shared = (start + end) / Math.max(uri.length, sent.length)
    if (!best || shared > best.shared) best = { uri, shared }
  }
  return best?.uri
}

/**
 * Compares the registered URI with the masked one that was sent, part by part, so that a difference in one part does not
 * move the others.
 */
export function compareUris(registered: string, sent: string): UriDifference {
  if (registered === '') return { stretches: [{ registered, sent, isEqual: false }], reasons: ['none'] }
  const [ours, theirs] = [splitUri(registered), splitUri(sent)]
  const stretches = (['scheme', 'authority', 'path', 'query', 'fragment'] as const).flatMap((part) =>
    stretchesOf(ours[part], theirs[part]),
  )
  return { stretches: joinEqual(stretches), reasons: reasonsOf(ours, theirs, sent) }
}

/** Returns a part of both URIs as what is equal at its start, what differs, and what is equal at its end. */
function stretchesOf(ours: string, theirs: string): UriStretch[] {
  const { start, end } = sharedEnds(ours, theirs)
  const equal = (text: string): UriStretch => ({ registered: text, sent: text, isEqual: true })
  const middle = {
    registered: ours.slice(start, ours.length - end),
    sent: theirs.slice(start, theirs.length - end),
    isEqual: false,
  }
  return [equal(ours.slice(0, start)), middle, equal(ours.slice(ours.length - end))].filter(
    (one) => one.registered !== '' || one.sent !== '',
  )
}

/** Returns how many characters two texts share at the start, and how many of the others at the end. */
function sharedEnds(one: string, other: string): { start: number; end: number } {
  const shorter = Math.min(one.length, other.length)
  let start = 0
  while (start < shorter && one[start] === other[start]) start++
  let end = 0
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++
  return { start, end }
}

function joinEqual(stretches: UriStretch[]): UriStretch[] {
  const joined: UriStretch[] = []
  for (const next of stretches) {
    const last = joined.at(-1)
    const text = `${last?.sent}${next.sent}`
    if (last?.isEqual && next.isEqual) joined[joined.length - 1] = { registered: text, sent: text, isEqual: true }
    else joined.push(next)
  }
  return joined
}

function reasonsOf(ours: UriParts, theirs: UriParts, sent: string): UriReason[] {
  const [one, other] = [splitAuthority(ours.authority), splitAuthority(theirs.authority)]
  const found: Partial<Record<UriReason, boolean>> = {
    scheme: ours.scheme.toLowerCase() !== theirs.scheme.toLowerCase(),
    user: one.user !== other.user,
    host: one.host.toLowerCase() !== other.host.toLowerCase(),
    port: one.port !== other.port,
    ...pathReason(ours.path, theirs.path),
    ...queryReason(ours.query, theirs.query),
    fragment: ours.fragment !== theirs.fragment,
    // The escapes of maskText.
    invisible: /\\u\{[0-9a-f]+\}/.test(sent),
  }
  const isCase = (a: string, b: string) => a !== b && a.toLowerCase() === b.toLowerCase()
  if (isCase(ours.scheme, theirs.scheme) || isCase(one.host, other.host)) found.case = true
  return uriReasons.filter((reason) => found[reason])
}

function pathReason(ours: string, theirs: string): Partial<Record<UriReason, boolean>> {
  if (ours === theirs) return {}
  if (`${ours}/` === theirs || ours === `${theirs}/`) return { trailing_slash: true }
  return ours.toLowerCase() === theirs.toLowerCase() ? { case: true } : { path: true }
}

function queryReason(ours: string, theirs: string): Partial<Record<UriReason, boolean>> {
  if (ours === theirs) return {}
  if (ours === '') return { extra_query: true }
  return theirs === '' ? { missing_query: true } : { query: true }
}

function splitAuthority(authority: string): { user: string; host: string; port: string } {
  const [, user = '', host = '', port = ''] = /^(?:\/\/)?(.*@)?(.*?)(:\d*)?$/s.exec(authority) ?? []
  return { user, host, port }
}
