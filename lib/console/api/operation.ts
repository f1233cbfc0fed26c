import type { z } from 'zod'
import type { AppAuthor, Author } from '#lib/console/acted'
import type { ConsoleContext } from '#lib/console/context'
import type { Action } from '#lib/console/roles'
import { notFound } from './problem.ts'

type Fields = z.ZodObject
type Values<Schema> = Schema extends Fields ? z.output<Schema> : undefined

/** An accepted request: its author, the values of its path, query and body. */
export type Call<Query = undefined, Body = undefined> = {
  context: ConsoleContext
  by: Author
  request: Request
  path: Record<string, string>
  query: Query
  body: Body
  /** Refuses the request unless the token also permits this action. */
  permit(action: Action): void
}

/** The answer of an operation: a JSON body, or none (204). */
export type Answer = { body?: unknown; headers?: Record<string, string> }

/** An operation of the API. Its schemas check the request and make the OpenAPI document. */
export type Operation = {
  /** The operationId of the OpenAPI document. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** A path template such as /apps/{app}. */
  path: string
  action: Action
  summary: string
  query?: Fields
  body?: Fields
  /** Whether the body is a picture, which `run` reads by itself. */
  picture?: boolean
  /** The status and body of a success; absent for 204. */
  answer?: { status: 200 | 201 | 202; schema: z.ZodType }
  /** Whether the request needs If-Match with the ETag of the object. */
  ifMatch?: boolean
  run(call: Call<never, never>): Promise<Answer>
}

type Given<Query, Body> = Omit<Operation, 'query' | 'body' | 'run'> & {
  query?: Query
  body?: Body
  run(call: Call<Values<Query>, Values<Body>>): Promise<Answer>
}

/** Declares an operation, with the types of its query and body from their schemas. */
export const operation = <Query extends Fields | undefined = undefined, Body extends Fields | undefined = undefined>(
  given: Given<Query, Body>,
): Operation => given as unknown as Operation

/** Runs a part of an operation for the app in its path; the app of another team does not exist for it. */
export async function appOf({ context, by, path }: Call<unknown, unknown>): Promise<AppAuthor> {
  const app = await context.teamApps.find(path.app ?? '')
  if (app?.teamId !== by.team.id) throw notFound()
  return { ...by, app }
}
