import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { signInFor } from '#lib/account/account-form'
import { currentSession } from '#lib/account/signed-in/session'
import { isFresh } from '#lib/account/signed-in/step-up'
import { type Flash, readFlash } from '#lib/http/flash'
import { pageContext } from './page-context.ts'
import { pathHere } from './path-here.ts'

/** What an account page shows: whose it is, and what its forms said before. Whoever is not signed in signs in first. */
export async function readAccountPage(path: string, options: { fresh?: boolean } = {}) {
  const context = await pageContext()
  const jar = (await cookies()).toString()
  const current = await currentSession(context, jar)
  if (!current) redirect(signInFor(path))
  if (options.fresh && !isFresh(current, context.now())) redirect(signInFor(path, true))
  const flashOf = async (form: string): Promise<Flash> =>
    (await readFlash(context, jar, form, await pathHere())) ?? { form, problems: [], kept: {} }
  return { context, ...current, flashOf }
}
