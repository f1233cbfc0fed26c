import type { z } from 'zod'
import { avatarLimits } from '#lib/account/profile/avatar'
import { collectParameters } from '#lib/http/form'
import type { Operation } from './operation.ts'
import { ApiProblem, type FieldError } from './problem.ts'

/** Reads the query of a request; refuses unknown and repeated parameters. */
export function readQuery({ query }: Operation, request: Request): unknown {
  const search = new URL(request.url).search.slice(1)
  const known = new Set(Object.keys(query?.shape ?? {}))
  const names = [...new URLSearchParams(search).keys()]
  const unknown = names.find((name) => !known.has(name))
  if (unknown !== undefined)
    throw new ApiProblem(
      400,
      'unknown_parameter',
      `There is no parameter ${JSON.stringify(unknown.slice(0, 100))} here.`,
    )
  const sent = collectParameters(search, known)
  if (!sent || sent.repeated !== undefined)
    throw new ApiProblem(400, 'malformed_query', 'Send each parameter once, percent-encoded as UTF-8.')
  return query ? check(query, Object.fromEntries(sent.values), 400) : undefined
}

/** Reads the JSON body of a request. */
export async function readBody({ body }: Operation, request: Request): Promise<unknown> {
  if (!body) return undefined
  if (typeOf(request) !== 'application/json')
    throw new ApiProblem(415, 'unsupported_media_type', 'Send the body as application/json.')
  return check(body, parse(await request.text()), 422)
}

/** The types of pictures that a request can hold. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif']

/** Reads the picture that is the body of a request; refuses a larger one before it reads the rest. */
export async function readPicture(request: Request): Promise<Uint8Array> {
  if (!pictureTypes.includes(typeOf(request)))
    throw new ApiProblem(415, 'unsupported_media_type', `Send the picture as ${pictureTypes.join(', ')}.`)
  const tooLarge = new ApiProblem(413, 'picture_large', 'The picture has more than 5 MiB.')
  if (Number(request.headers.get('content-length')) > avatarLimits.bytes) throw tooLarge
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    if (size > avatarLimits.bytes) throw tooLarge
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const typeOf = ({ headers }: Request): string =>
  (headers.get('content-type') ?? '').toLowerCase().split(';')[0]?.trim() ?? ''

function parse(text: string): unknown {
  const value = parseOrRefuse(text)
  // Code that reads a value recursively would exceed its stack.
  if (!isNestedWithin(mostLevels, value))
    throw new ApiProblem(400, 'nested_json', `The body must not nest more than ${mostLevels} levels.`)
  return value
}

function parseOrRefuse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiProblem(400, 'malformed_json', 'The body is not JSON.')
  }
}

/** The most lists and objects inside each other in a body. */
const mostLevels = 20

const isNestedWithin = (levels: number, value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => isNestedWithin(levels - 1, inner)))

/** Returns the values that a schema accepts; refuses others with the sentence and the place of each problem. */
function check(schema: z.ZodType, input: unknown, status: number): unknown {
  const read = schema.safeParse(input)
  if (read.success) return read.data
  const errors = read.error.issues.slice(0, 20).map(fieldError)
  throw new ApiProblem(status, 'invalid', 'Some fields cannot be accepted.', { errors })
}

function fieldError({ path, message, ...issue }: z.core.$ZodIssue): FieldError {
  if (issue.code === 'unrecognized_keys')
    return { pointer: pointerOf([...path, issue.keys[0] ?? '']), detail: 'is not known' }
  return { pointer: pointerOf(path), detail: message.slice(0, 300) }
}

/** Returns a path as a JSON Pointer (RFC 6901 §3). */
const pointerOf = (path: PropertyKey[]) =>
  path.map((key) => `/${String(key).slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
