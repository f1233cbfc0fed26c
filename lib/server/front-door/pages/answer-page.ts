import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { beUnavailable, type Face, Refusal, renderFaultPage } from '#lib/server/front-door/refuse'
import { fillPlaceholders } from '#lib/sign-in/remembered/placeholders'
import { compressFiles, versionOf } from './compress-files.ts'
import { hideVisitor, type KeepingSite, makeKeptPages, sendKeptPage } from './kept-pages.ts'
import { isBroken, rewriteHtml, withoutFramework, withVersions } from './strip-framework-script.ts'

/** Answers a page request. `metTrouble` returns whether the database was unavailable since the request arrived. */
export type AnswerPage = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  requestId: string,
  metTrouble: () => boolean,
) => Promise<void>
type NextHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>

const served = ['GET', 'HEAD']

/** Renders a page with Next and removes Next's scripts from it; in development the scripts stay. */
export function makeAnswerPage(next: NextHandler, lean: boolean, site: KeepingSite & { config: Face }): AnswerPage {
  const versions = readVersions('public')
  const keptPages = makeKeptPages(site)
  return async (incoming, outgoing, requestId, metTrouble) => {
    if (!served.includes(incoming.method ?? '')) {
      throw new Refusal(405, 'This method is not served here.', { allow: served.join(', ') })
    }
    // Next's image service would fetch URLs for any visitor; no page uses it.
    if (incoming.url?.startsWith('/_next/image')) throw new Refusal(404, 'There is nothing at this address.')
    if (lean) {
      const forStrangers = await keptPages.pageFor(incoming)
      // The deadline may have passed during the look-up of accounts, or the client may have left.
      if (outgoing.writableEnded || outgoing.destroyed) return
      const kept = forStrangers && keptPages.find(forStrangers)
      if (kept) return sendKeptPage(kept, forStrangers, outgoing)
      if (forStrangers) hideVisitor(incoming, forStrangers)
      compressFiles(incoming, outgoing)
      rewriteHtml(incoming, outgoing, (html) => {
        // Next's body for a redirect looks like an error page; browsers follow the header and ignore the body.
        if (outgoing.hasHeader('location')) return ''
        const isFailed = isBroken(html) || (incoming.method === 'HEAD' && outgoing.statusCode === 500)
        if (!isFailed) {
          const page = withVersions(withoutFramework(html), versions)
          if (forStrangers) keptPages.keep(forStrangers, page, outgoing)
          return forStrangers ? fillPlaceholders(page, forStrangers.accounts) : page
        }
        // Next answers 200 if the error comes after the first bytes of a page.
        if (outgoing.statusCode < 400) outgoing.statusCode = 500
        // Next does not pass on the error of a page. If the database was unavailable during the request, that is almost
        // certainly the cause.
        if (outgoing.statusCode === 500 && metTrouble()) beUnavailable(incoming, outgoing)
        const { statusCode: status } = outgoing
        return renderFaultPage(incoming, outgoing, { status, requestId, config: site.config })
      })
    }
    await next(incoming, outgoing)
  }
}

const readVersions = (folder: string) =>
  new Map(readdirSync(folder).map((file) => [file, versionOf(readFileSync(`${folder}/${file}`))]))
