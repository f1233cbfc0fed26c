import { randomBytes, randomInt } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isUnavailable } from '#lib/db/engine/unavailable'
import { endpointHeaders, openToBrowsers } from '#lib/http/headers'
import { isOverloaded } from '#lib/queue/fair-queue'
import type { Config } from '#lib/server/settings/config'
import { acceptedLanguages, chooseLocale } from '#lib/text/locales'
import { closeToHandler, openAgain } from './deadline.ts'
import { type FaultName, faultPage, faultPolicy } from './fault-page.ts'
import type { Visit } from './front-door.ts'
import { Refusal } from './refusal.ts'
import type { Watch } from './watch.ts'

/** Answers a request whose handler threw; only a fault of ours is noted by `span`. */
export function answerThrown(visit: Visit, thrown: unknown, config: Config, span: ReturnType<Watch>) {
  if (thrown instanceof Refusal) return answerRefusal(visit, thrown, config)
  if (isOverloaded(thrown)) return answerOverload(visit, config)
  span.fault(thrown)
  return answerFault(visit, thrown, config)
}

/** Answers what the front door will not serve: a small page for a person on the account host, else one line of text. */
function answerRefusal(visit: Visit, refusal: Refusal, config: Config) {
  if (visit.outgoing.headersSent) return void visit.outgoing.destroy()
  for (const [name, value] of Object.entries(refusal.headers)) visit.outgoing.setHeader(name, value)
  return send(visit, refusal.status, refusal.message, config)
}

/** Answers a fault of ours; the request id leads the operator to the log line that says more. */
function answerFault(visit: Visit, fault: unknown, config: Config) {
  if (visit.outgoing.headersSent) return void visit.outgoing.destroy()
  if (isUnavailable(fault)) return answerUnavailable(visit, config)
  return send(visit, 500, `This is our fault. Quote request ${visit.requestId} when you report it.`, config)
}

/** Answers work that a queue refused; a person reads that nothing was lost and when to try again. */
function answerOverload(visit: Visit, config: Config) {
  if (visit.outgoing.headersSent) return void visit.outgoing.destroy()
  // At random, so that clients refused together do not come back together.
  visit.outgoing.setHeader('retry-after', String(randomInt(3, 11)))
  return send(visit, 503, 'The service is busy. Try again in a few seconds.', config, 'busy')
}

/** The page for a person, with a policy that lets its own style through and nothing else. */
export function renderFaultPage(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  about: { status: number; requestId: string; serviceName: string; words?: FaultName | undefined },
): string {
  const nonce = randomBytes(16).toString('base64url')
  outgoing.setHeader('content-security-policy', faultPolicy(nonce))
  const locale = chooseLocale(...acceptedLanguages(incoming.headers['accept-language']))
  return faultPage({ ...about, locale, nonce })
}

/** Answers 503 to a request whose time is over; a handler that comes too late changes nothing of it. */
export function answerLate(visit: Visit, config: Config) {
  openAgain(visit.outgoing)
  answerUnavailable(visit, config)
  closeToHandler(visit.outgoing)
}

/** Sets the status and says when to come again; a browser that only asked for a page does so by itself. */
export function beUnavailable(incoming: IncomingMessage, outgoing: ServerResponse) {
  outgoing.statusCode = 503
  outgoing.setHeader('retry-after', '5')
  if (incoming.method === 'GET' && acceptsHtml(incoming)) outgoing.setHeader('refresh', '5')
}

/** A database that is away comes back: apps read so in JSON they can act on, people on a page or in a line. */
function answerUnavailable(visit: Visit, config: Config) {
  const sentence = 'The service is not available at the moment. Try again shortly.'
  beUnavailable(visit.incoming, visit.outgoing)
  const isForm = visit.incoming.method === 'POST'
  if (visit.host !== 'issuer' || acceptsHtml(visit.incoming))
    return send(visit, 503, sentence, config, isForm ? 'unavailableForm' : 'unavailable')
  begin(visit, 503, config)
  // Browsers go to the authorization endpoint as a page, never as a call (RFC 9700 §2.6).
  if (visit.route !== '/oauth2/authorize')
    for (const [name, value] of Object.entries(openToBrowsers)) visit.outgoing.setHeader(name, value)
  // The token endpoint has no code for it (RFC 6749 §5.2); the authorization endpoint's means just this (§4.1.2.1).
  const body = { error: 'temporarily_unavailable', error_description: sentence }
  finish(visit, 'application/json', JSON.stringify(body))
}

function send(visit: Visit, status: number, sentence: string, config: Config, words?: FaultName) {
  const { incoming, outgoing, requestId } = visit
  begin(visit, status, config)
  const wantsPage = visit.host === 'account' && acceptsHtml(incoming)
  if (!wantsPage) return finish(visit, 'text/plain; charset=utf-8', `${sentence}\n`)
  const { serviceName } = config
  const page = renderFaultPage(incoming, outgoing, { status, requestId, serviceName, words })
  finish(visit, 'text/html; charset=utf-8', page)
}

const acceptsHtml = (incoming: IncomingMessage) => String(incoming.headers.accept ?? '').includes('text/html')

function begin({ outgoing }: Visit, status: number, config: Config) {
  for (const [name, value] of Object.entries(endpointHeaders(config))) outgoing.setHeader(name, value)
  outgoing.setHeader('cache-control', 'no-store')
  outgoing.statusCode = status
}

function finish({ incoming, outgoing }: Visit, type: string, body: string) {
  outgoing.setHeader('content-type', type)
  outgoing.setHeader('content-length', Buffer.byteLength(body))
  outgoing.end(incoming.method === 'HEAD' ? undefined : body)
}
