import { type Current, currentSession } from '#lib/account/signed-in/session'
import { postedFrom } from '#lib/http/csrf'
import { showProblem } from '#lib/http/problem-page'
import { goTo, localPath } from '#lib/http/redirect'
import type { Progress } from '#lib/oauth/authorize/next-step'
import type { Context } from '#lib/server/compose/context'
import { wayBack } from './answer-app.ts'
import { continueWith, type Interaction, readInteraction } from './interaction.ts'

/** What somebody signs in for: an app that asked, or a page of their own account. */
export type Destination = { current: Current | undefined } & (
  | { kind: 'app'; sealed: string; interaction: Interaction }
  | { kind: 'account'; path: string }
)

/** What a page or form carries of it: the sealed request, or a path of ours. */
export type Carried = { request: string; to: string }

/** Reads where a sign-in leads; an answer instead when an app's request cannot go on. */
export async function readDestination(
  context: Context,
  request: Request,
  carried: Carried,
): Promise<Destination | Response> {
  if (carried.request === '' && carried.to !== '') {
    // No seal ties these forms to this browser, and browsers name our pages: whoever hides is somewhere else.
    const hides = request.method === 'POST' && postedFrom(request, context.config.accountUrl) !== 'ours'
    if (hides) return showProblem(context, { kind: 'not_from_here' })
    const current = await currentSession(context, request.headers.get('cookie'))
    return { kind: 'account', path: localPath(carried.to), current }
  }
  const interaction = await readInteraction(context, request, carried.request)
  if (interaction instanceof Response) return interaction
  return { kind: 'app', sealed: carried.request, interaction, current: interaction.current }
}

/** The parameters that carry a destination from page to page. */
export const carry = (destination: Destination): Record<string, string> =>
  destination.kind === 'app' ? { request: destination.sealed } : { to: destination.path }

/** Goes on, once somebody has signed in or chosen an account: to the dispatcher, or to the page. */
export async function goOn(
  context: Context,
  destination: Destination,
  progress: Omit<Progress, 'consented'> & { consented?: boolean },
  cookies: (string | undefined)[],
): Promise<Response> {
  if (destination.kind === 'account') return goTo(destination.path, cookies)
  return goTo(await continueWith(context, destination.interaction, { consented: false, ...progress }), cookies)
}

/** Where "cancel" leads: the app is told, or it is the home page. */
export const goBack = async (context: Context, destination: Destination): Promise<Response> =>
  goTo(destination.kind === 'app' ? await wayBack(context, destination.interaction.flow.request) : '/')
