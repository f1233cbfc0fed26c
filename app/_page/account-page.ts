import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { signInFor } from '#lib/account/account-form'
import { currentSession } from '#lib/account/signed-in/session'
import { isFresh } from '#lib/account/signed-in/step-up'
import { type Flash, readFlash } from '#lib/http/flash'
import { pageContext, pathHere } from './page-context.ts'

/** Returns the context, session and flash of an account page; redirects to the sign-in page without a session. */
export async function readAccountPage(path: string, options: { fresh?: boolean } = {}) {
  const context = await pageContext()
  const jar = (await cookies()).toString()
  const current = await currentSession(context, jar)
  if (!current) redirect(signInFor(path))
  if (options.fresh && !isFresh(current, context.now())) redirect(signInFor(path, true))
  const flashOf = async (form: string): Promise<Flash> =>
    (await readFlash(context, jar, form, { page: await pathHere(), person: current.person.id })) ?? {
      form,
      problems: [],
      kept: {},
    }
  return { context, ...current, flashOf }
}
