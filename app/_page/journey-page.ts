import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { readDestination } from '#lib/flow/destination'
import { readInteraction } from '#lib/flow/interaction'
import { readFlash } from '#lib/http/flash'
import { pathWith } from '#lib/http/redirect'
import { pageContext } from './page-context.ts'
import { pathHere } from './path-here.ts'

/** The search parameters as Next hands them to a page. */
export type Search = Promise<Record<string, string | string[] | undefined>>

/** What a page on the way into an app shows: the request, the app, who is signed in, and what the form said before. */
export async function readJourneyPage(search: Search, form: string) {
  const context = await pageContext()
  const sealed = oneOf((await search).request)
  const jar = (await cookies()).toString()
  const request = new Request(context.config.accountUrl, { headers: { cookie: jar } })
  const interaction = await readInteraction(context, request, sealed)
  if (interaction instanceof Response) redirect(interaction.headers.get('location') as string)
  const flash = await readFlash(context, jar, form, await pathHere())
  return {
    context,
    sealed,
    ...interaction,
    problems: flash?.problems ?? [],
    kept: flash?.kept ?? {},
    done: flash?.done,
  }
}

/** What the pages of signing in show: for which app or page of the account, who is here, and what was said before. */
export async function readSignInPage(search: Search, form: string) {
  const context = await pageContext()
  const { request: sealed, to } = await search
  const jar = (await cookies()).toString()
  const request = new Request(context.config.accountUrl, { headers: { cookie: jar } })
  const account = oneOf(to) || (sealed === undefined ? '/account' : '')
  const destination = await readDestination(context, request, { request: oneOf(sealed), to: account })
  if (destination instanceof Response) redirect(destination.headers.get('location') as string)
  const flash = await readFlash(context, jar, form, await pathHere())
  return { context, destination, jar, problems: flash?.problems ?? [], kept: flash?.kept ?? {}, done: flash?.done }
}

/** Where a page that no longer fits the request leads: the dispatcher knows what does. */
export const toDispatcher = (sealed: string): never => redirect(pathWith('/continue', { request: sealed }))

/** The request id the person can quote. */
export const requestId = async () => (await headers()).get('x-request-id')

/** One value of a search parameter that may be repeated. */
export const oneOf = (value: string | string[] | undefined): string => (Array.isArray(value) ? value[0] : value) ?? ''
