import type { Context } from '../context.ts'

/** GET /dev/inbox/html/ID: a letter's HTML with no rights at all; apps' mail ends up in this mailbox too. */
export function answerLetterHtml({ mailbox }: Pick<Context, 'mailbox'>, request: Request): Response {
  const id = Number(new URL(request.url).pathname.split('/').at(-1))
  const letter = mailbox?.find(id)
  if (!letter?.html) return new Response('There is nothing at this address.\n', { status: 404 })
  return new Response(letter.html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    },
  })
}
