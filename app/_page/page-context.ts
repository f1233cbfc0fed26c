import { connection } from 'next/server'
import { type Context, getContext } from '#lib/server/compose/context'

/** The context for a page. Waiting for a visitor first keeps a build, which tries every page, away from the database. */
export async function pageContext(): Promise<Context> {
  await connection()
  return getContext()
}
