import { sentenceOf } from '#lib/console/api/problem'
import type { FlashProblem } from '#lib/http/flash'
import { json } from '#lib/oauth/endpoint'
import type { Problem } from '#lib/text/read-fields'
import { metadataName } from './metadata-name.ts'

type Code =
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'unapproved_software_statement'
  | 'invalid_token'
  | 'access_denied'
  | 'temporarily_unavailable'

const statuses: Partial<Record<Code, number>> = { invalid_token: 401, access_denied: 403, temporarily_unavailable: 429 }

/** Thrown to refuse a registration (RFC 7591 §3.2.2, RFC 6750 §3.1). */
export class RegistrationRefusal extends Error {
  readonly code: Code
  readonly headers: Record<string, string>
  constructor(code: Code, description: string, headers: Record<string, string> = {}) {
    super(description)
    this.code = code
    this.headers = headers
  }
}

/** Runs an endpoint of registration, and answers a refusal with its error. */
export async function answerRegistration(run: () => Promise<Response>): Promise<Response> {
  try {
    return await run()
  } catch (fault) {
    if (!(fault instanceof RegistrationRefusal)) throw fault
    const { code, message, headers } = fault
    const challenge = code === 'invalid_token' && { 'www-authenticate': 'Bearer error="invalid_token"' }
    const body = { error: code, error_description: asciiOf(message) }
    return json(body, statuses[code] ?? 400, { ...challenge, ...headers })
  }
}

/** Returns the refusal of metadata that breaks rules of apps, with the names that the fields have in RFC 7591. */
export function refuseMetadata(problems: Problem[]): RegistrationRefusal {
  const sentences = problems.slice(0, 5).map(({ path, message }) => `${nameOf(path)} ${message}`)
  const isAboutRedirects = problems.every(({ path }) => path.startsWith('redirect_uris'))
  const code = isAboutRedirects && problems.length > 0 ? 'invalid_redirect_uri' : 'invalid_client_metadata'
  return new RegistrationRefusal(code, `${sentences.join('; ')}.`)
}

/** A name in a language has a path in brackets: ["name#ja"]. */
const nameOf = (path: string) =>
  path.replace(/^(?:\["([\w#-]+)"\]|\w+)/, (field, inBrackets) => metadataName(inBrackets ?? field))

/** Returns the refusal of names that deceive, with the sentences of the console. */
export const refuseNames = (problems: FlashProblem[]) =>
  new RegistrationRefusal(
    'invalid_client_metadata',
    problems.map((problem) => `${metadataName(problem.field ?? '')}: ${sentenceOf(problem)}`).join(' '),
  )

/** RFC 7591 §3.2.2: the description is ASCII. */
const asciiOf = (text: string) =>
  text
    .replaceAll('…', '...')
    .replace(/[^\x20-\x7e]/g, '?')
    .replaceAll(/["\\]/g, "'")
