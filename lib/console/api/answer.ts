import type { ConsoleContext } from '#lib/console/context'
import type { Action } from '#lib/console/roles'
import { apiPath } from './api-path.ts'
import { authenticate, permit } from './authenticate.ts'
import { openApiDocument } from './openapi.ts'
import type { Call, Operation } from './operation.ts'
import { operations } from './operations.ts'
import { ApiProblem, answerProblem, notFound } from './problem.ts'
import { readBody, readQuery } from './read-input.ts'

/** Answers a request to the API of a team. It reads no cookie, so a browser's session never counts. */
export async function answerApi(context: ConsoleContext, request: Request): Promise<Response> {
  try {
    return await run(context, request)
  } catch (fault) {
    if (fault instanceof ApiProblem) return answerProblem(fault)
    throw fault
  }
}

async function run(context: ConsoleContext, request: Request): Promise<Response> {
  const segments = segmentsOf(new URL(request.url).pathname.slice(apiPath.length))
  const method = request.method === 'HEAD' ? 'GET' : request.method
  if (segments.join('/') === 'openapi.json' && method === 'GET') return json(200, openApiDocument(context.config))
  const caller = await authenticate(context, request)
  const { operation, path } = find(segments, method)
  permit(caller, operation.action)
  if (operation.ifMatch && request.headers.get('if-match') === null)
    throw new ApiProblem(428, 'if_match_missing', 'Send If-Match with the ETag that you read, or with * to overwrite.')
  const query = readQuery(operation, request)
  const body = await readBody(operation, request)
  const also = (action: Action) => permit(caller, action)
  const call: Call<unknown, unknown> = { context, by: caller.by, request, path, query, body, permit: also }
  const answer = await operation.run(call as Call<never, never>)
  return operation.answer
    ? json(operation.answer.status, answer.body, answer.headers)
    : new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  })

/** Returns the decoded segments of a path; refuses a path that no operation can have. */
function segmentsOf(path: string): string[] {
  try {
    const segments = path.split('/').slice(1).map(decodeURIComponent)
    if (segments.some((segment) => !segment.isWellFormed() || segment.includes('\0'))) throw notFound()
    return segments
  } catch {
    throw notFound()
  }
}

/** Returns the operation for a path and a method, and the values in the path. */
function find(segments: string[], method: string): { operation: Operation; path: Record<string, string> } {
  const here = operations.filter(({ path }) => matches(path.split('/').slice(1), segments))
  if (here.length === 0) throw notFound()
  const operation = here.find((one) => one.method === method)
  if (operation) return { operation, path: valuesIn(operation.path.split('/').slice(1), segments) }
  const allow = here.flatMap((one) => (one.method === 'GET' ? ['GET', 'HEAD'] : [one.method])).join(', ')
  throw new ApiProblem(405, 'method_not_allowed', `Use ${allow}.`, { headers: { allow } })
}

const isName = (part: string) => part.startsWith('{')

const matches = (template: string[], segments: string[]) =>
  template.length === segments.length &&
  template.every((part, at) => (isName(part) ? segments[at] !== '' : part === segments[at]))

const valuesIn = (template: string[], segments: string[]): Record<string, string> =>
  Object.fromEntries(
    template.flatMap((part, at) => (isName(part) ? [[part.slice(1, -1), (segments[at] ?? '').slice(0, 300)]] : [])),
  )
