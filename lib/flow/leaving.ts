import { isLeaving } from '#lib/account/data/deletion'
import { goTo, pathWith } from '#lib/http/redirect'
import type { NextStep } from '#lib/oauth/authorize/next-step'
import { errorResponse } from '#lib/oauth/authorize/response'
import { OAuthError } from '#lib/oauth/error'
import type { Context } from '#lib/server/compose/context'
import { answerApp } from './answer-app.ts'
import type { Interaction } from './interaction.ts'

/** Steps that come before it is certain whose account this is about, and the one that ends the way anyhow. */
const passing: readonly NextStep['step'][] = ['sign-in', 'choose-account', 'refuse']

/** Whoever asked to be deleted decides about that first; meanwhile no app lets them in. Undefined for everybody else. */
export async function answerLeaving(
  context: Context,
  { flow: { request }, current }: Interaction,
  next: NextStep,
  sealed: string,
): Promise<Response | undefined> {
  if (!current || !isLeaving(current.person) || passing.includes(next.step)) return undefined
  if (!request.prompt.includes('none')) return goTo(pathWith('/account/data', { request: sealed }))
  const error = new OAuthError(
    'interaction_required',
    'The person must decide whether to keep their account. Send the request without prompt=none.',
  )
  context.oauth.refused({ endpoint: 'authorize', clientId: request.clientId, error })
  return answerApp(context, errorResponse(context.config.issuer, request, error))
}
