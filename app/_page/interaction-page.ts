import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { readDestination } from '#lib/flow/destination'
import { readInteraction } from '#lib/flow/interaction'
import { pathWith } from '#lib/http/redirect'
import { inPageLanguage, pageContext } from './page-context.ts'
import { readFlashHere } from './visitor.ts'

/** The search parameters as Next hands them to a page. */
export type Search = Promise<Record<string, string | string[] | undefined>>

/** Returns the data of an interaction page: the request, the app, the session, and the flash of the form. */
export async function readInteractionPage(search: Search, form: string) {
  const context = await pageContext()
  const sealed = oneOf((await search).request)
  const jar = (await cookies()).toString()
  const request = new Request(context.config.accountUrl, { headers: { cookie: jar } })
  const interaction = await readInteraction(context, request, sealed)
  if (interaction instanceof Response) redirect(interaction.headers.get('location') as string)
  const flash = await readFlashHere(form)
  return {
    context,
    sealed,
    ...interaction,
    client: await inPageLanguage(interaction.client),
    problems: flash?.problems ?? [],
    kept: flash?.kept ?? {},
    done: flash?.done,
  }
}

/** Returns the data of a sign-in page: the destination, the session, and the flash of the form. */
export async function readSignInPage(search: Search, form: string) {
  const context = await pageContext()
  const { request: sealed, to } = await search
  const jar = (await cookies()).toString()
  const request = new Request(context.config.accountUrl, { headers: { cookie: jar } })
  const account = oneOf(to) || (sealed === undefined ? '/account' : '')
  const destination = await readDestination(context, request, { request: oneOf(sealed), to: account })
  if (destination instanceof Response) redirect(destination.headers.get('location') as string)
  if (destination.kind === 'app') destination.interaction.client = await inPageLanguage(destination.interaction.client)
  const flash = await readFlashHere(form)
  return { context, destination, jar, problems: flash?.problems ?? [], kept: flash?.kept ?? {}, done: flash?.done }
}

/** Redirects to /continue, which chooses the next page of the request. */
export const toDispatcher = (sealed: string): never => redirect(pathWith('/continue', { request: sealed }))

/** Returns the request id, which the error page shows. */
export const requestId = async () => (await headers()).get('x-request-id')

/** Returns the first value of a search parameter, or an empty string. */
export const oneOf = (value: string | string[] | undefined): string => (Array.isArray(value) ? value[0] : value) ?? ''
