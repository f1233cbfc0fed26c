import { collectParameters } from '#lib/http/form-parameters'
import { OAuthError } from './error.ts'

/** Parameters as sent, each at most once; an empty value counts as absent (RFC 6749 §3.1, §3.2). */
export type Parameters = ReadonlyMap<string, string>

/** Reads a form, refusing a parameter that we know and that is repeated; unknown ones are ignored. */
export function parseForm(text: string, known: ReadonlySet<string>): Parameters {
  const collected = collectParameters(text, known)
  if (!collected)
    throw new OAuthError('invalid_request', 'The parameters are not valid application/x-www-form-urlencoded.')
  if (collected.repeated !== undefined) throw repeatedParameter(collected.repeated)
  return collected.values
}

export const repeatedParameter = (name: string) =>
  new OAuthError('invalid_request', `The parameter ${name} is repeated. Send it once.`)

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
