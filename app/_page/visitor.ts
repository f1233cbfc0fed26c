import { cookies } from 'next/headers'
import { cache } from 'react'
import { currentSession } from '#lib/account/signed-in/session'
import { readFlash } from '#lib/http/flash'
import { pageContext, pathHere } from './page-context.ts'

/** Returns the context and the current session for a page without an authorization request; cached for one rendering. */
export const readVisitor = cache(async () => {
  const context = await pageContext()
  const jar = (await cookies()).toString()
  return { context, jar, current: await currentSession(context, jar) }
})

/** Returns whether the form has problems, which the page's title then mentions. */
export async function hasProblems(form: string): Promise<boolean> {
  const flash = await readFlash(await pageContext(), (await cookies()).toString(), form, await pathHere())
  return (flash?.problems.length ?? 0) > 0
}
