import { type Current, currentSession } from '#lib/account/signed-in/session'
import { type Holder, inspectToken, type Presenter, sealToken, type TokenKind } from '#lib/crypto/sealed-token'
import { readCookie, sentBrowser } from '#lib/http/cookies'
import { type PageForm, receiveForm } from '#lib/http/form'
import { namesOfApp, showProblem } from '#lib/http/problem-page'
import { goTo, pathWith } from '#lib/http/redirect'
import type { Site } from '#lib/http/site'
import { achievedClass, type ContextClass, reachedClass } from '#lib/oauth/authorize/context-class'
import { type NextStep, nextStep, type Progress } from '#lib/oauth/authorize/next-step'
import type { AuthorizationRequest } from '#lib/oauth/authorize/request'
import type { Client } from '#lib/oauth/client/client'
import { isRegisteredRedirect } from '#lib/oauth/client/redirect-uri'
import { OAuthError } from '#lib/oauth/error'
import { answerDeadEnd, cancelRequest } from './answer-app.ts'
import type { FlowContext } from './context.ts'

/** An authorization request that this browser carries, its app, and the person signed in. */
export type Interaction = {
  flow: FlowState
  browser: string
  client: Client
  current: Current | undefined
  /** The app's `ui_locales`, unless the person has chosen a language. */
  languages: string | undefined
}

/** Reads the sealed request that a browser carries; returns a response instead when the flow cannot continue here. */
export async function readInteraction(
  context: FlowContext,
  request: Request,
  sealed: string,
): Promise<Interaction | Response> {
  const cookies = request.headers.get('cookie')
  const browser = sentBrowser(context, cookies)
  const opened = openRequest(context, { browser }, sealed)
  if (opened.kind === 'unreadable') return showProblem(context, { kind: 'unreadable_request' })
  const { flow } = opened
  const current = await currentSession(context, cookies)
  const chosen = readCookie(cookies, 'postern_language') ?? current?.person.pageLanguage
  const languages = chosen ? undefined : flow.request.uiLocales
  const client = await findApp(context, flow.request)
  if (!client || !isRegisteredRedirect(client, flow.request.redirectUri))
    return showProblem(context, { kind: 'app_gone' }, languages)
  const deadEnd = (kind: 'expired_request' | 'other_browser') =>
    answerDeadEnd(context, flow.request, { kind, ...namesOfApp(client) }, languages)
  if (opened.kind === 'expired') return deadEnd('expired_request')
  // A URL copied from a history or a log must not continue in another browser.
  if (!opened.isOwn || browser === undefined) return deadEnd('other_browser')
  return { flow, browser, client, current, languages }
}

/** Returns the app of a request; in a trial, its only redirect URI is that of the console (decision 0048). */
async function findApp({ oauth }: FlowContext, { clientId, redirectUri, trial }: AuthorizationRequest) {
  const client = await oauth.store.findClient(clientId)
  return client && trial ? { ...client, redirectUris: [redirectUri] } : client
}

/** Returns whether this session may finish a request: each may, unless the console started the request. */
const mayFinish = ({ trial }: AuthorizationRequest, current: Current | undefined): boolean =>
  !trial || (current?.person.id === trial.personId && current.session.firstId === trial.sessionId)

/** Decides the next step of an interaction from the stored consent and the session in use. */
export async function stepFor(
  context: FlowContext,
  { flow, client, current }: Omit<Interaction, 'browser' | 'languages'>,
): Promise<NextStep> {
  if (!mayFinish(flow.request, current)) {
    const description = 'Only the member who started this sign-in in the console can finish it, in the same session.'
    return { step: 'refuse', error: new OAuthError('access_denied', description) }
  }
  const [consent, subject, canStepUp = false] = current
    ? await Promise.all([
        context.consents.findConsent(current.person.id, client.id),
        context.consents.findSubject(current.person.id, client.teamId),
        canStepUpTo(context, flow.request.preferredClass, current),
      ])
    : []
  return nextStep({
    request: flow.request,
    client,
    progress: flow.progress,
    now: context.now(),
    session: current && { id: current.session.id, authenticatedAt: current.session.authenticatedAt },
    canStepUp,
    isClassUnmet: current !== undefined && !reachedClass(current.session.amr, flow.request.claims?.classes),
    person: current && { hasEmail: current.person.email !== undefined, subject },
    consent,
  })
}

/**
 * Returns whether a new sign-in can reach the class that the app prefers (RFC 9470 §5): the session has one factor, and
 * the person has a second one.
 */
const canStepUpTo = async (
  { signIn }: Pick<FlowContext, 'signIn'>,
  preferred: ContextClass | undefined,
  { session, person }: Current,
): Promise<boolean> =>
  preferred === 'aal2' && achievedClass(session.amr) === 'aal1' && (await signIn.hasSecondFactor(person.id))

/** An accepted form of the flow: its step is still the next one, and its session is still in use. */
export type StepForm<Step extends NextStep['step']> = {
  form: PageForm
  /** The sealed request as the page sent it. */
  sealed: string
  interaction: Interaction & { current: Current }
  next: Extract<NextStep, { step: Step }>
}

/** Reads the form of a step; returns a response when it was cancelled, or when the dispatcher has to decide again. */
export async function receiveStepForm<Step extends NextStep['step']>(
  context: FlowContext,
  request: Request,
  step: Step,
): Promise<StepForm<Step> | Response> {
  const form = await receiveForm(context, request, 'token')
  if (form instanceof Response) return form
  const sealed = form.get('request')
  const interaction = await readInteraction(context, request, sealed)
  if (interaction instanceof Response) return interaction
  if (form.get('action') === 'cancel') return cancelRequest(context, interaction.flow.request)
  const { current } = interaction
  const next = await stepFor(context, interaction)
  // Another tab switched accounts or did this step: an answer must not count for another account or twice.
  if (next.step !== step || !current || current.session.publicId !== form.get('session')) return toDispatcher(sealed)
  return { form, sealed, interaction: { ...interaction, current }, next: next as StepForm<Step>['next'] }
}

/** Redirects to the dispatcher, which decides the next step of a sealed request. */
export const toDispatcher = (sealed: string): Response => goTo(pathWith('/continue', { request: sealed }))

/** Redirects to the dispatcher with new progress. */
export const continueWith = async (
  context: FlowContext,
  { flow: { request }, browser }: Pick<Interaction, 'flow' | 'browser'>,
  progress: Progress,
  cookies: (string | undefined)[] = [],
): Promise<Response> =>
  goTo(pathWith('/continue', { request: sealRequest(context, { browser }, { request, progress }) }), cookies)

/** An authorization request on its way through the browser, with the steps that are done (design §3). */
export type FlowState = { request: AuthorizationRequest; progress: Progress | undefined }

/**
 * An opened request. If it has expired, or belongs to another browser (`isOwn` is false), it may only be used to answer
 * the app.
 */
export type Opened = { kind: 'open' | 'expired'; isOwn: boolean; flow: FlowState } | { kind: 'unreadable' }

/**
 * Seconds in which a request must be completed, counted from the app's request: every step seals the request again,
 * which does not extend the time.
 */
const lifetime = 3600
/**
 * Fits the longest state (4,096 characters, 8,192 bytes) and a nonce of 512. With the longest cookies, the head of a
 * request stays below the 32 KiB of `listen.ts`.
 */
export const longestSeal = 14 * 1024
const kind: TokenKind = { purpose: 'seal-request', seconds: 24 * 3600, longest: longestSeal }

type Sealer = Pick<Site, 'secrets' | 'now'>

/** Seals a request into a URL parameter. Nothing is stored, so that a visitor cannot fill a table. */
export const sealRequest = (sealer: Sealer, holder: Holder, { request, progress }: FlowState): string =>
  sealToken(sealer, kind, holder, { request, progress })

/**
 * Opens a sealed request for its presenter: `bearer` until `/start` binds the request to a browser, then that
 * browser.
 */
export function openRequest(sealer: Sealer, presenter: Presenter, sealed: string): Opened {
  const token = inspectToken<FlowState>(sealer, kind, presenter, sealed)
  if (!token) return { kind: 'unreadable' }
  const { value: flow, isOwn } = token
  const age = sealer.now().getTime() / 1000 - flow.request.issuedAt
  if (age > kind.seconds) return { kind: 'unreadable' }
  return { kind: age > lifetime ? 'expired' : 'open', isOwn, flow }
}
