import { cookies } from 'next/headers'
import { cache } from 'react'
import { currentSession } from '#lib/account/signed-in/session'
import { readFlash } from '#lib/http/flash'
import { pageContext } from './page-context.ts'
import { pathHere } from './path-here.ts'

/** The context and who is signed in in this browser, for a page that belongs to no request; looked up once for all of a page. */
export const readVisitor = cache(async () => {
  const context = await pageContext()
  const jar = (await cookies()).toString()
  return { context, jar, current: await currentSession(context, jar) }
})

/** Whether this form comes back with problems, which the page's title says first. */
export async function hasProblems(form: string): Promise<boolean> {
  const flash = await readFlash(await pageContext(), (await cookies()).toString(), form, await pathHere())
  return (flash?.problems.length ?? 0) > 0
}
