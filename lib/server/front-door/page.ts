import type { IncomingMessage, ServerResponse } from 'node:http'
import { beUnavailable, Refusal, renderFaultPage } from './refuse.ts'
import { isBroken, rewriteHtml, withoutFramework } from './strip-framework-script.ts'

/** `metTrouble` says whether the database was unavailable since the request came. */
export type AnswerPage = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  requestId: string,
  metTrouble: () => boolean,
) => Promise<void>
type NextHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>

const served = ['GET', 'HEAD']

/** Hands a page to Next and takes out the framework's scripts on the way back; development keeps them. */
export function makeAnswerPage(next: NextHandler, options: { lean: boolean; serviceName: string }): AnswerPage {
  return async (incoming, outgoing, requestId, metTrouble) => {
    if (!served.includes(incoming.method ?? '')) {
      throw new Refusal(405, 'This method is not served here.', { allow: served.join(', ') })
    }
    // Next's image service would fetch on a visitor's behalf; no page of ours uses it.
    if (incoming.url?.startsWith('/_next/image')) throw new Refusal(404, 'There is nothing at this address.')
    if (options.lean) {
      rewriteHtml(incoming, outgoing, (html) => {
        // What Next writes around a redirect looks like a fault; browsers follow the header and show none of it.
        if (outgoing.hasHeader('location')) return ''
        const isLost = isBroken(html) || (incoming.method === 'HEAD' && outgoing.statusCode === 500)
        if (!isLost) return withoutFramework(html)
        // A fault behind the first bytes of a page comes with the status of a page that went well.
        if (outgoing.statusCode < 400) outgoing.statusCode = 500
        // Next hides the error of a page; while the database is away, the database is almost certainly its cause.
        if (outgoing.statusCode === 500 && metTrouble()) beUnavailable(incoming, outgoing)
        const { statusCode: status } = outgoing
        return renderFaultPage(incoming, outgoing, { status, requestId, serviceName: options.serviceName })
      })
    }
    await next(incoming, outgoing)
  }
}
