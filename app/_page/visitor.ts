import { cookies } from 'next/headers'
import { cache } from 'react'
import { currentSession } from '#lib/account/signed-in/session'
import { type Flash, readFlash } from '#lib/http/flash'
import { pageContext, pathHere } from './page-context.ts'

/** Returns the context and the current session for a page without an authorization request; cached for one rendering. */
export const readVisitor = cache(async () => {
  const context = await pageContext()
  const jar = (await cookies()).toString()
  return { context, jar, current: await currentSession(context, jar) }
})

/** Returns the result of a form that this page shows to this person; without `form`, of any form. */
export async function readFlashHere(form?: string): Promise<Flash | undefined> {
  const { context, jar, current } = await readVisitor()
  return readFlash(context, jar, form, { page: await pathHere(), person: current?.person.id })
}

/** Returns whether the form has problems, which the page's title then mentions. */
export const hasProblems = async (form: string): Promise<boolean> =>
  ((await readFlashHere(form))?.problems.length ?? 0) > 0
