import type { Context } from '#lib/server/compose/context'
import { localHeader } from '#lib/server/front-door/own-headers'
import type { Mailbox } from './mailbox.ts'

/** GET /dev/inbox/html/ID: a letter's HTML with no rights at all; apps' mail ends up in this mailbox too. */
export const answerLetterHtml = (context: Pick<Context, 'mailbox'>, request: Request): Response =>
  show('text/html', inboxFor(request.headers, context)?.find(idIn(request))?.html)

/** GET /dev/inbox/source/ID: every byte that would have been sent, signatures and all. */
export const answerLetterSource = (context: Pick<Context, 'mailbox'>, request: Request): Response =>
  show('text/plain', inboxFor(request.headers, context)?.find(idIn(request))?.raw)

/** The evaluation's mailbox, for a browser on this machine: its letters hold codes that open every account. */
export const inboxFor = (headers: Pick<Headers, 'has'>, { mailbox }: Pick<Context, 'mailbox'>): Mailbox | undefined =>
  headers.has(localHeader) ? mailbox : undefined

const idIn = (request: Request) => Number(new URL(request.url).pathname.split('/').at(-1))

function show(type: string, content: string | undefined): Response {
  if (!content) return new Response('There is nothing at this address.\n', { status: 404 })
  return new Response(content, {
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy':
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    },
  })
}
