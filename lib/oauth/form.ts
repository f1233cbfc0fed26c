import { OAuthError } from './error.ts'

/** Parameters as sent, each at most once; an empty value counts as absent (RFC 6749 §3.1, §3.2). */
export type Parameters = ReadonlyMap<string, string>

/** Reads a form, refusing a parameter that we know and that is repeated; unknown ones are ignored. */
export function parseForm(text: string, known: ReadonlySet<string>): Parameters {
  const { values, repeated } = collectParameters(text, known)
  if (repeated !== undefined) throw repeatedParameter(repeated)
  return values
}

export const repeatedParameter = (name: string) =>
  new OAuthError('invalid_request', `The parameter ${name} is repeated.`)

/** Reads a form or query and says what is repeated; broken encoding, NUL and invalid UTF-8 are refused wherever they stand. */
export function collectParameters(text: string, known: ReadonlySet<string>) {
  const values = new Map<string, string>()
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const part of text.split('&')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const name = decodePart(equals === -1 ? part : part.slice(0, equals))
    const value = decodePart(equals === -1 ? '' : part.slice(equals + 1))
    if (!known.has(name)) continue
    if (seen.has(name)) repeated.add(name)
    seen.add(name)
    if (value !== '') values.set(name, value)
  }
  // Neither of two values can be believed.
  for (const name of repeated) values.delete(name)
  return { values, repeated: [...repeated][0] }
}

/** One application/x-www-form-urlencoded name or value (RFC 6749 appendix B). */
export function decodePart(part: string): string {
  const text = decode(part)
  // What was not UTF-8 on the wire stands here as the replacement character; an escaped one was meant.
  if (text === undefined || text.includes('\0') || part.includes('\ufffd') || !text.isWellFormed()) {
    throw new OAuthError('invalid_request', 'The parameters are not valid form encoding.')
  }
  return text
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/** The form of a POST; any other content type is refused before its body is looked at. */
export async function readForm(request: Request, known: ReadonlySet<string>): Promise<Parameters> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') {
    throw new OAuthError(
      'invalid_request',
      'Send the parameters as application/x-www-form-urlencoded.',
      'wrong content type',
    )
  }
  return parseForm(await request.text(), known)
}

/** A parameter that must be there. */
export function requireParameter(form: Parameters, name: string): string {
  const value = form.get(name)
  if (value === undefined) throw new OAuthError('invalid_request', `The parameter ${name} is missing.`)
  return value
}
