import type { IncomingMessage, ServerResponse } from 'node:http'
import { beUnavailable, Refusal, renderFaultPage } from './refuse.ts'
import { isBroken, rewriteHtml, withoutFramework } from './strip-framework-script.ts'

/** `metTrouble` returns whether the database was unavailable since the request arrived. */
export type AnswerPage = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  requestId: string,
  metTrouble: () => boolean,
) => Promise<void>
type NextHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>

const served = ['GET', 'HEAD']

/** Renders a page by Next and removes the framework's scripts from it; development keeps them. */
export function makeAnswerPage(next: NextHandler, options: { lean: boolean; serviceName: string }): AnswerPage {
  return async (incoming, outgoing, requestId, metTrouble) => {
    if (!served.includes(incoming.method ?? '')) {
      throw new Refusal(405, 'This method is not served here.', { allow: served.join(', ') })
    }
    // Next's image service would fetch URLs for a visitor; no page uses it.
    if (incoming.url?.startsWith('/_next/image')) throw new Refusal(404, 'There is nothing at this address.')
    if (options.lean) {
      rewriteHtml(incoming, outgoing, (html) => {
        // The body that Next adds to a redirect looks like an error page; browsers follow the header and ignore it.
        if (outgoing.hasHeader('location')) return ''
        const isFailed = isBroken(html) || (incoming.method === 'HEAD' && outgoing.statusCode === 500)
        if (!isFailed) return withoutFramework(html)
        // An error after the first bytes of a page comes with the status 200.
        if (outgoing.statusCode < 400) outgoing.statusCode = 500
        // Next hides the error of a page; if the database was unavailable during the request, that is almost certainly the cause.
        if (outgoing.statusCode === 500 && metTrouble()) beUnavailable(incoming, outgoing)
        const { statusCode: status } = outgoing
        return renderFaultPage(incoming, outgoing, { status, requestId, serviceName: options.serviceName })
      })
    }
    await next(incoming, outgoing)
  }
}
