import { localHeader } from '#lib/http/headers'
import type { Mailbox } from './post.ts'

type MailboxContext = { mailbox: Mailbox | undefined }

/** GET /dev/inbox/html/ID: a letter's HTML in a sandbox, since mail of apps also arrives in this mailbox. */
export const answerLetterHtml = (context: MailboxContext, request: Request): Response =>
  answerContent('text/html', inNewTabs(inboxFor(request.headers, context)?.find(idIn(request))?.html))

/** GET /dev/inbox/source/ID: a letter as it was sent, with headers and signatures. */
export const answerLetterSource = (context: MailboxContext, request: Request): Response =>
  answerContent('text/plain', inboxFor(request.headers, context)?.find(idIn(request))?.raw)

/** Returns the evaluation's mailbox to clients on this machine only: its letters hold codes that open every account. */
export const inboxFor = (headers: Pick<Headers, 'has'>, { mailbox }: MailboxContext): Mailbox | undefined =>
  headers.has(localHeader) ? mailbox : undefined

/** The page of the letter shows its HTML in a frame, which our other pages refuse to be in. */
const inNewTabs = (html: string | undefined) => html?.replace(/<head[^>]*>/i, '$&<base target="_blank">')

const idIn = (request: Request) => Number(new URL(request.url).pathname.split('/').at(-1))

function answerContent(type: string, content: string | undefined): Response {
  if (!content) return new Response('There is nothing at this address.\n', { status: 404 })
  return new Response(content, {
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy':
        "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    },
  })
}
