import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '#lib/config'
import { endpointHeaders } from '#lib/security-headers'
import { acceptedLanguages, chooseLocale } from '#lib/web/locales'
import { faultPage } from './fault-page.ts'
import type { Visit } from './front-door.ts'
import type { Refusal } from './refusal.ts'

/** Answers what the front door will not serve: a small page for a person on the account host, else one line of text. */
export function answerRefusal(visit: Visit, refusal: Refusal, config: Config) {
  if (visit.outgoing.headersSent) return void visit.outgoing.destroy()
  for (const [name, value] of Object.entries(refusal.headers)) visit.outgoing.setHeader(name, value)
  return send(visit, refusal.status, refusal.message, config)
}

/** Answers a fault of ours; the request id leads the operator to the log line that says more. */
export function answerFault(visit: Visit, config: Config) {
  if (visit.outgoing.headersSent) return void visit.outgoing.destroy()
  return send(visit, 500, `This is our fault. Quote request ${visit.requestId} when you report it.`, config)
}

/** The page for a person, with a policy that lets its own style through and nothing else. */
export function renderFaultPage(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  about: { status: number; requestId: string; serviceName: string },
): string {
  const nonce = randomBytes(16).toString('base64url')
  outgoing.setHeader(
    'content-security-policy',
    `default-src 'none'; style-src 'nonce-${nonce}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`,
  )
  const locale = chooseLocale(...acceptedLanguages(incoming.headers['accept-language']))
  return faultPage({ ...about, locale, nonce })
}

function send(visit: Visit, status: number, sentence: string, config: Config) {
  const { incoming, outgoing, requestId } = visit
  for (const [name, value] of Object.entries(endpointHeaders(config))) outgoing.setHeader(name, value)
  outgoing.setHeader('cache-control', 'no-store')
  outgoing.statusCode = status
  const wantsPage = visit.host === 'account' && String(incoming.headers.accept ?? '').includes('text/html')
  const { serviceName } = config
  const body = wantsPage ? renderFaultPage(incoming, outgoing, { status, requestId, serviceName }) : `${sentence}\n`
  outgoing.setHeader('content-type', wantsPage ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8')
  outgoing.setHeader('content-length', Buffer.byteLength(body))
  outgoing.end(incoming.method === 'HEAD' ? undefined : body)
}
