import type { FlashProblem } from '#lib/http/flash'
import { messagesFor } from '#lib/text/messages'

/** An error in one field: where it is in the body (RFC 6901), and the sentence of the rule. */
export type FieldError = { pointer?: string; detail: string }

type More = { errors?: FieldError[]; headers?: Record<string, string>; members?: Record<string, unknown> }

/** Thrown to end a request of the API with a problem document (RFC 9457). */
export class ApiProblem extends Error {
  readonly status: number
  readonly code: string
  readonly more: More
  constructor(status: number, code: string, detail: string, more: More = {}) {
    super(detail)
    this.status = status
    this.code = code
    this.more = more
  }
}

/** Returns the problem document. Its type is about:blank, so `title` is the phrase of the status (RFC 9457 §4.2.1). */
export function answerProblem({ status, code, message, more }: ApiProblem): Response {
  const { errors, headers = {}, members } = more
  const body = {
    title: phrases[status] ?? 'Error',
    status,
    detail: message,
    code,
    ...(errors && { errors }),
    ...members,
  }
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...headers },
  })
}

const phrases: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  428: 'Precondition Required',
  429: 'Too Many Requests',
}

export const notFound = () => new ApiProblem(404, 'not_found', 'There is nothing at this address.')

/** Returns the problem of an act that was refused, with the sentences of the console. */
export function refusedAct(problems: FlashProblem[]): ApiProblem {
  const [first] = problems
  const { code, wait = 0 } = first ?? { code: 'not_found' }
  const status = wait > 0 ? 429 : (statuses[code] ?? (first?.field === undefined ? 409 : 422))
  const errors = problems.flatMap((problem) =>
    problem.field === undefined ? [] : [{ pointer: pointerTo(problem), detail: sentenceOf(problem) }],
  )
  const detail = errors.length > 0 ? 'Some fields cannot be accepted.' : sentenceOf(first ?? { code })
  return new ApiProblem(status, errors.length > 0 && status === 422 ? 'invalid' : code, detail, {
    ...(errors.length > 0 && { errors }),
    ...(wait > 0 && { headers: { 'retry-after': String(wait) } }),
  })
}

/** The statuses of codes that are neither a wait (429), nor a conflict (409), nor about a field (422). */
const statuses: Record<string, number> = {
  not_allowed: 403,
  team_closed: 403,
  member_gone: 404,
  app_unknown: 404,
  api_unknown: 404,
  domain_gone: 404,
  map_over: 404,
  offer_over: 404,
  receiver_absent: 404,
  api_stale: 412,
}

/** The path of a field in the body as a JSON Pointer; `line` is the place in a list, from 1. */
const pointerTo = ({ field, line }: FlashProblem) => `/${field}${line ? `/${line - 1}` : ''}`

/** Sentences that differ from those of a form. */
const ownSentences: Record<string, string> = {
  api_stale: 'Another editor changed this API after you read it. Read it again, then repeat your change.',
  app_stale: 'Another editor changed this app after you read it. Read it again, then repeat your change.',
}

/** Returns the sentence of the console for a problem. */
export function sentenceOf({ code, text, wait = 0 }: FlashProblem): string {
  if (text !== undefined) return text
  const known: Record<string, string> = messagesFor('en').console.problems
  return (ownSentences[code] ?? known[code] ?? 'This cannot be done.').replace('{time}', `${wait} seconds`)
}
