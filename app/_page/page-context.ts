import { headers } from 'next/headers'
import { connection } from 'next/server'
import { type Context, getContext } from '#lib/server/compose/context'

/** Returns the context for a page. Waits for a request first: a build renders pages too and must not open the database. */
export async function pageContext(): Promise<Context> {
  await connection()
  return getContext()
}

/** Returns the path and query of the page as the browser requested it (proxy.ts). */
export const pathHere = async (): Promise<string> => (await headers()).get('x-path') ?? ''
