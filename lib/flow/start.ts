import { browserOf } from '#lib/http/cookies'
import { showProblem } from '#lib/http/problem-page'
import { goTo, pathWith } from '#lib/http/redirect'
import type { Context } from '#lib/server/compose/context'
import { openRequest, sealRequest } from './sealed-request.ts'

/** GET /start: binds the request to this browser, once (design §3 step 2). */
export async function answerStart(context: Context, request: Request): Promise<Response> {
  const opened = await openRequest(
    context.secrets,
    new URL(request.url).searchParams.get('request') ?? '',
    context.now(),
  )
  if (opened.kind === 'unreadable' || opened.travelling.browser !== undefined) {
    return showProblem(context, { kind: 'unreadable_request' })
  }
  const browser = browserOf(context, request.headers.get('cookie'))
  const sealed = await sealRequest(context.secrets, { ...opened.travelling, browser: browser.hash })
  return goTo(pathWith('/continue', { request: sealed }), [browser.setCookie])
}
