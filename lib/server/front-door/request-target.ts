import type { IncomingMessage } from 'node:http'
import { Refusal } from './refusal.ts'

/** The path of a request target in origin form (RFC 9112 §3.2.1); anything else is refused, never guessed at. */
export function pathOf(target: string): string {
  // Bytes beyond ASCII have no meaning in a target, and would be guessed at (RFC 3986 §2).
  if (!target.startsWith('/') || target.startsWith('//') || /[^\x21-\x7e]/.test(target)) throw unparsable()
  const end = target.search(/[?#]/)
  const path = end === -1 ? target : target.slice(0, end)
  if (path.includes('\\')) throw unparsable()
  try {
    if (decodeURIComponent(path).includes('\0')) throw unparsable()
  } catch {
    throw unparsable()
  }
  return path
}

/**
 * Refuses a request whose Host header is repeated, absent, empty or malformed (RFC 9112 §3.2): a proxy before us may have
 * read another one. Health checks of HTTP/1.0 may leave it out.
 */
export function checkHost({ rawHeaders, headers: { host } }: IncomingMessage, { mayBeAbsent = false } = {}) {
  if (rawHeaders.length > 2 * mostHeaders) throw new Refusal(431, 'The request has too many headers.')
  const count = rawHeaders.filter((name, at) => at % 2 === 0 && name.length === 4 && /^host$/i.test(name)).length
  if (count === 0 && mayBeAbsent) return
  if (count !== 1 || !hostForm.test(host ?? '')) throw new Refusal(400, 'The Host header cannot be read.')
}

const mostHeaders = 100
const hostForm = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i

const unparsable = () => new Refusal(400, 'The request target cannot be read.')
