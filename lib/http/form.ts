import { type CsrfMode, isFromOurPages } from './csrf.ts'
import { collectParameters } from './form-parameters.ts'
import { showProblem } from './problem-page.ts'
import type { Site } from './site.ts'

/** Most bytes of a form without a file. */
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
