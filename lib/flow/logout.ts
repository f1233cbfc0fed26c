import type { Current } from '#lib/account/signed-in/session'
import { openToken, sealToken, type TokenKind } from '#lib/crypto/sealed-token'
import { namesOfApp, type ProblemKind, showProblem } from '#lib/http/problem-page'
import { goTo, pathWith } from '#lib/http/redirect'
import type { Client } from '#lib/oauth/client/client'
import { withParameters } from '#lib/oauth/client/redirect-uri'
import { OAuthError } from '#lib/oauth/error'
import {
  type CheckedLogout,
  checkLogout,
  isRegisteredReturn,
  type LogoutCulprit,
  type LogoutRequest,
} from '#lib/oauth/logout/check-logout'
import { sessionIdentifier } from '#lib/oauth/token/signed-tokens'
import { languagesOf, readQuery } from './authorize.ts'
import type { FlowContext } from './context.ts'
import { longestSeal } from './interaction.ts'

/**
 * GET and POST /oauth2/logout (RP-Initiated Logout 1.0 §2): checks the request and hands it to the account host, which
 * knows the sessions of the browser. Nothing is stored.
 */
export async function answerLogout(context: FlowContext, request: Request): Promise<Response> {
  const query = await readQuery(request)
  const checked = await checkLogout(context.oauth, query)
  if (checked.kind === 'shown') return refuseLogout(context, checked, languagesOf(query))
  const { clientId, uiLocales } = checked.request
  const sealed = clientId === undefined ? undefined : sealToken(context, kind, 'bearer', checked.request)
  if (sealed !== undefined && sealed.length > kind.longest) {
    const error = new OAuthError('invalid_request', 'the logout request is too large')
    return refuseLogout(context, { culprit: 'request', error, client: undefined }, uiLocales)
  }
  return goTo(pathWith(`${context.config.accountUrl}/logout`, { request: sealed, ui_locales: uiLocales }))
}

/** Not bound to a browser: the endpoint is on the issuer's host, which receives no cookies. */
const kind: TokenKind = { purpose: 'seal-logout', seconds: 3600, longest: longestSeal }

const problems: Record<LogoutCulprit, ProblemKind> = {
  client_id: 'unknown_client',
  id_token_hint: 'bad_logout_hint',
  post_logout_redirect_uri: 'bad_logout_address',
  request: 'bad_logout_request',
}

function refuseLogout(
  context: FlowContext,
  { culprit, client, error }: Omit<Extract<CheckedLogout, { kind: 'shown' }>, 'kind'>,
  languages: string | undefined,
): Response {
  context.oauth.refused({ endpoint: 'logout', clientId: client?.id, error })
  return showProblem(context, { kind: problems[culprit], ...(client && namesOfApp(client)) }, languages)
}

/** A logout request that a browser carries, and its app. */
export type Logout = Pick<LogoutRequest, 'hint' | 'uiLocales'> & { client: Client; returnAddress: string | undefined }

/**
 * Opens the logout request that a page or a form names; undefined if there is none, if it has expired, or if the app is
 * gone. The address to return to is compared again with the registered ones.
 */
export async function openLogout(context: FlowContext, sealed: string): Promise<Logout | undefined> {
  const request = openToken<LogoutRequest>(context, kind, 'bearer', sealed)
  const client = request?.clientId === undefined ? undefined : await context.oauth.store.findClient(request.clientId)
  if (!request || !client) return undefined
  return { client, hint: request.hint, uiLocales: request.uiLocales, returnAddress: returnAddress(client, request) }
}

/** RP-Initiated Logout 1.0 §3: the address as registered, and `state` if the request had one. */
function returnAddress(client: Client, { returnUri, state }: LogoutRequest): string | undefined {
  if (returnUri === undefined || !isRegisteredReturn(client, returnUri)) return undefined
  return state === undefined ? returnUri : withParameters(returnUri, { state })
}

/**
 * Returns whether the hint proves the only session of this browser; if so, the person need not confirm. A hint proves
 * nothing about the sessions of other accounts.
 */
export async function isProven(
  context: FlowContext,
  logout: Logout | undefined,
  accounts: Current[],
): Promise<boolean> {
  const [only, ...others] = accounts
  if (!logout?.hint || !only || others.length > 0) return false
  const { hint, client } = logout
  if (hint.sid !== sessionIdentifier(only.session.firstId, client.teamId)) return false
  return hint.subject === (await context.consents.findSubject(only.person.id, client.teamId))
}
