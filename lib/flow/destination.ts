import { type Current, currentSession } from '#lib/account/signed-in/session'
import { isFromOurPages, type PageForm, receiveForm } from '#lib/http/form'
import { showProblem } from '#lib/http/problem-page'
import { goTo, localPath } from '#lib/http/redirect'
import type { Progress } from '#lib/oauth/authorize/next-step'
import { cancelRequest } from './answer-app.ts'
import type { FlowContext } from './context.ts'
import { continueWith, type Interaction, readInteraction } from './interaction.ts'

/** The destination of a sign-in: an app's request, or a page of the account. */
export type Destination = { current: Current | undefined } & (
  | { kind: 'app'; sealed: string; interaction: Interaction }
  | { kind: 'account'; path: string }
)

/** The parameters or fields that name a destination: the sealed request, or a path of ours. */
type Named = { request: string; to: string }

/** Reads the destination that a page or form names; returns a response when an app's request cannot continue. */
export async function readDestination(
  context: FlowContext,
  request: Request,
  named: Named,
): Promise<Destination | Response> {
  if (isAccountPage(named)) {
    const current = await currentSession(context, request.headers.get('cookie'))
    return { kind: 'account', path: localPath(named.to), current }
  }
  const interaction = await readInteraction(context, request, named.request)
  if (interaction instanceof Response) return interaction
  return { kind: 'app', sealed: named.request, interaction, current: interaction.current }
}

const isAccountPage = ({ request, to }: Named) => request === '' && to !== ''

/**
 * Reads a form of the sign-in pages and its destination; returns a response when it was cancelled or cannot continue.
 * `usual` is the page of the account that a form without a destination leads to.
 */
export async function receiveSignInForm(
  context: FlowContext,
  request: Request,
  usual = '',
): Promise<{ form: PageForm; destination: Destination } | Response> {
  const form = await receiveForm(context, request, 'token')
  if (form instanceof Response) return form
  const named = { request: form.get('request'), to: form.get('to') || (form.get('request') === '' ? usual : '') }
  // Only a sealed request serves as a CSRF token; a form that leads to the account has no token.
  if (isAccountPage(named) && !isFromOurPages(context, request, 'headers'))
    return showProblem(context, { kind: 'not_from_here' })
  const destination = await readDestination(context, request, named)
  if (destination instanceof Response) return destination
  if (form.get('action') === 'cancel') return cancel(context, destination)
  return { form, destination }
}

/** Returns the parameters that name a destination, and the languages of its request, from page to page. */
export const destinationFields = (destination: Destination): Record<string, string> =>
  destination.kind === 'app'
    ? { request: destination.sealed, ...languageField(destination.interaction) }
    : { to: destination.path }

const languageField = ({ languages }: Interaction): Record<string, string> =>
  languages === undefined ? {} : { ui_locales: languages }

/** Continues to the destination after a sign-in or a choice of account: to the dispatcher, or to the page. */
export async function proceed(
  context: FlowContext,
  destination: Destination,
  progress: Omit<Progress, 'consented'> & { consented?: boolean },
  cookies: (string | undefined)[],
): Promise<Response> {
  if (destination.kind === 'account') return goTo(destination.path, cookies)
  return continueWith(context, destination.interaction, { consented: false, ...progress }, cookies)
}

/** Cancels the sign-in: answers the app with `access_denied`, or leads to the home page. */
const cancel = async (context: FlowContext, destination: Destination): Promise<Response> =>
  destination.kind === 'app' ? cancelRequest(context, destination.interaction.flow.request) : goTo('/')
