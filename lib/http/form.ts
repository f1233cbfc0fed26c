import { showProblem } from './problem-page.ts'
import type { Site } from './site.ts'

/** The greatest size of a form without a file, in bytes. */
export const formLimit = 64 * 1024

/** The fields of a form; a field may have several values, such as checkboxes of one name. */
export type PageForm = { get(name: string): string; all(name: string): string[] }

/** The part of a session that is the CSRF token of its forms. */
type Session = { publicId: string }

/**
 * Reads a form that one of our pages posted; returns the error page for any other request. With a session, the form's
 * `session` field is its CSRF token.
 */
export async function receiveForm(
  site: Site,
  request: Request,
  proof: 'headers' | 'token' | Session,
): Promise<PageForm | Response> {
  const form = request.method === 'POST' ? await readPageForm(request) : undefined
  const sent = form?.get('session') ?? ''
  const mode: CsrfMode = typeof proof === 'string' ? proof : { session: { sent, publicId: proof.publicId } }
  return form && isFromOurPages(site, request, mode) ? form : showProblem(site, { kind: 'not_from_here' })
}

/**
 * The CSRF check of a form whose client sends neither Sec-Fetch-Site nor Origin (security checklist, "People"):
 * - `headers` rejects it: the form has no token, or only reads its owner from the session.
 * - `token` accepts it: the form carries a token bound to the browser, such as the sealed request, which is checked next.
 * - `session` accepts it when the form's `session` field is the public id of the session in use.
 */
export type CsrfMode = 'headers' | 'token' | { session: { sent: string; publicId: string } }

/** Returns whether one of our pages sent the request: by Sec-Fetch-Site, else by Origin, else by `mode`. */
export function isFromOurPages({ config }: Pick<Site, 'config'>, request: Request, mode: CsrfMode): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  const origin = request.headers.get('origin')
  if (origin !== null && origin !== 'null') return origin === config.accountUrl
  return typeof mode === 'string' ? mode === 'token' : mode.session.sent === mode.session.publicId
}

/** Parses a form; returns undefined for another content type, malformed encoding or a body above the limit. */
export async function readPageForm(request: Request): Promise<PageForm | undefined> {
  const type = request.headers.get('content-type') ?? ''
  if (!type.toLowerCase().startsWith('application/x-www-form-urlencoded')) return undefined
  const text = await request.text()
  // URLSearchParams accepts malformed encoding and NUL.
  if (text.length > formLimit || !collectParameters(text, new Set())) return undefined
  const values = new URLSearchParams(text)
  return { get: (name) => values.get(name) ?? '', all: (name) => values.getAll(name) }
}

type Collected = { values: Map<string, string>; repeated: string | undefined }

/**
 * Reads the known parameters of a form or query. A repeated parameter has no value, because two values are ambiguous;
 * `repeated` names the first such parameter. The values of a parameter in `lists` are joined by spaces instead. Returns
 * undefined when any part, known or not, has broken percent-encoding, invalid UTF-8 or NUL.
 */
export function collectParameters(
  text: string,
  known: ReadonlySet<string>,
  lists: ReadonlySet<string> = none,
): Collected | undefined {
  const values = new Map<string, string>()
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const part of text.split('&')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const name = decodePart(equals === -1 ? part : part.slice(0, equals))
    const value = decodePart(equals === -1 ? '' : part.slice(equals + 1))
    if (name === undefined || value === undefined) return undefined
    if (!known.has(name)) continue
    const isList = lists.has(name)
    if (seen.has(name) && !isList) repeated.add(name)
    seen.add(name)
    if (value !== '') values.set(name, isList && values.has(name) ? `${values.get(name)} ${value}` : value)
  }
  for (const name of repeated) values.delete(name)
  return { values, repeated: [...repeated][0] }
}

const none: ReadonlySet<string> = new Set()

/** Decodes one application/x-www-form-urlencoded name or value (RFC 6749 appendix B); undefined when it is malformed. */
export function decodePart(part: string): string | undefined {
  if (/^[\w.~-]*$/.test(part)) return part
  const text = decode(part)
  // A raw U+FFFD was invalid UTF-8 on the wire; a percent-encoded one is the character itself.
  const isMalformed = text === undefined || text.includes('\0') || part.includes('\ufffd') || !text.isWellFormed()
  return isMalformed ? undefined : text
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
