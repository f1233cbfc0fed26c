import { randomBytes, randomInt } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { chooseTheme } from '#lib/account/profile/page-look'
import { chooseLanguage } from '#lib/brand/brand-texts'
import { isUnavailable } from '#lib/db/engine/unavailable'
import { readCookie } from '#lib/http/cookies'
import { endpointHeaders, openToBrowsers } from '#lib/http/headers'
import { localPath } from '#lib/http/redirect'
import { isClosedKeys } from '#lib/keys/store'
import { isOverloaded } from '#lib/queue/fair-queue'
import { plainPolicy } from '#lib/server/plain-page/plain-page'
import type { Config } from '#lib/server/settings/config'
import { acceptedLanguages, requestedLanguages } from '#lib/text/messages'
import { closeToHandler, openAgain } from './deadline.ts'
import { type FaultName, faultPage } from './fault-page.ts'
import type { Visit } from './visit.ts'
import type { Watch } from './watch.ts'

/** Thrown to refuse a request, with a status, a constant sentence, and headers for the client. */
export class Refusal extends Error {
  readonly status: number
  readonly headers: Record<string, string>
  constructor(status: number, sentence: string, headers: Record<string, string> = {}) {
    super(sentence)
    this.status = status
    this.headers = headers
  }
}

/** Answers a request whose handler threw; `span` records internal errors only. */
export function answerThrown(visit: Visit, thrown: unknown, config: Config, span: ReturnType<Watch>) {
  if (thrown instanceof Refusal) return answerRefusal(visit, thrown, config)
  if (isOverloaded(thrown)) return answerOverload(visit, config)
  span.fault(thrown)
  return answerFault(visit, thrown, config)
}

/** Answers a refused request: with a page for a browser on the account host, else with one line of text. */
function answerRefusal(visit: Visit, refusal: Refusal, config: Config) {
  if (visit.outgoing.headersSent) return void visit.outgoing.destroy()
  for (const [name, value] of Object.entries(refusal.headers)) visit.outgoing.setHeader(name, value)
  return send(visit, refusal.status, refusal.message, config)
}

/** Answers any other error; with the request id, the operator finds the log line with the details. */
function answerFault(visit: Visit, fault: unknown, config: Config) {
  if (visit.outgoing.headersSent) return void visit.outgoing.destroy()
  if (isUnavailable(fault) || isClosedKeys(fault)) return answerUnavailable(visit, config)
  return send(visit, 500, `This is our fault. Quote request ${visit.requestId} when you report it.`, config)
}

/**
 * Answers a request that a full queue or a late event loop refused. A page reloads by itself; the answer to a form says
 * that nothing was lost and when to send it again.
 */
function answerOverload(visit: Visit, config: Config) {
  const { incoming, outgoing } = visit
  if (outgoing.headersSent) return void outgoing.destroy()
  // Random, so that clients refused at the same moment do not retry at the same moment.
  beUnavailable(incoming, outgoing, randomInt(3, 11))
  const sentence = 'The service is busy. Try again in a few seconds.'
  if (isForApp(visit)) return sendToApp(visit, sentence, config)
  return send(visit, 503, sentence, config, incoming.method === 'GET' ? 'unavailable' : 'busy')
}

/** What an error page shows of the installation. */
export type Face = Pick<
  Config,
  'serviceName' | 'brand' | 'accountUrl' | 'languages' | 'defaultLanguage' | 'defaultTheme'
>

/** Returns an error page and sets its content security policy. */
export function renderFaultPage(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  about: { status: number; requestId: string; config: Face; words?: FaultName | undefined },
): string {
  const nonce = randomBytes(16).toString('base64url')
  outgoing.setHeader('content-security-policy', plainPolicy(nonce))
  const back = wayBack(incoming.headers.referer, about.config.accountUrl)
  const theme = chooseTheme(readCookie(incoming.headers.cookie ?? null, 'postern_theme'), about.config.defaultTheme)
  return faultPage({ ...about, locale: languageOf(incoming, about.config), theme, nonce, back })
}

/** Returns the path of the page that sent a form; undefined for a page of another site. */
function wayBack(referer: string | undefined, accountUrl: string): string | undefined {
  if (!referer || !URL.canParse(referer)) return undefined
  const { origin, pathname, search } = new URL(referer)
  const path = localPath(pathname + search)
  return origin === new URL(accountUrl).origin && path !== '/' ? path : undefined
}

/** Chooses the language in the order of the pages; the choice of a signed-in person would need the database. */
const languageOf = ({ url = '', headers }: IncomingMessage, config: Face): string =>
  chooseLanguage(
    config,
    ...requestedLanguages(new URLSearchParams(url.split('?')[1]).get('ui_locales')),
    readCookie(headers.cookie ?? null, 'postern_language'),
    ...acceptedLanguages(headers['accept-language']),
  )

/** Answers 503 to a request that has exceeded its deadline, and discards a later answer of its handler. */
export function answerLate(visit: Visit, config: Config) {
  openAgain(visit.outgoing)
  answerUnavailable(visit, config)
  closeToHandler(visit.outgoing)
}

/** Sets the status and the time to retry; a browser that requested a page reloads by itself. */
export function beUnavailable(incoming: IncomingMessage, outgoing: ServerResponse, seconds = 5) {
  outgoing.statusCode = 503
  outgoing.setHeader('retry-after', String(seconds))
  if (incoming.method === 'GET' && acceptsHtml(incoming)) outgoing.setHeader('refresh', String(seconds))
}

/** Answers while the database is unavailable: with JSON for apps, else with a page or a line of text. */
function answerUnavailable(visit: Visit, config: Config) {
  const sentence = 'The service is not available at the moment. Try again shortly.'
  beUnavailable(visit.incoming, visit.outgoing)
  const isForm = visit.incoming.method === 'POST'
  if (!isForApp(visit)) return send(visit, 503, sentence, config, isForm ? 'unavailableForm' : 'unavailable')
  return sendToApp(visit, sentence, config)
}

const isForApp = ({ host, incoming }: Visit) => host === 'issuer' && !acceptsHtml(incoming)

/** Answers 503 to an app, in JSON. */
function sendToApp(visit: Visit, sentence: string, config: Config) {
  begin(visit, 503, config)
  // Browsers visit the authorization endpoint as a page; scripts must not read it (RFC 9700 §2.6).
  if (visit.route !== '/oauth2/authorize')
    for (const [name, value] of Object.entries(openToBrowsers)) visit.outgoing.setHeader(name, value)
  // RFC 6749 §5.2 has no code for this case; §4.1.2.1 defines one for the authorization endpoint.
  const body = { error: 'temporarily_unavailable', error_description: sentence }
  finish(visit, 'application/json', JSON.stringify(body))
}

function send(visit: Visit, status: number, sentence: string, config: Config, words?: FaultName) {
  const { incoming, outgoing, requestId } = visit
  begin(visit, status, config)
  // Every error of the API is a problem document (RFC 9457).
  if (visit.route.startsWith('/console/api/'))
    return finish(visit, 'application/problem+json', JSON.stringify(problemOf(status, sentence)))
  const wantsPage = visit.host === 'account' && acceptsHtml(incoming)
  if (!wantsPage) return finish(visit, 'text/plain; charset=utf-8', `${sentence}\n`)
  const page = renderFaultPage(incoming, outgoing, { status, requestId, config, words })
  finish(visit, 'text/html; charset=utf-8', page)
}

/** Returns the problem document of a refusal before the API reads the request; its members are those of every other. */
function problemOf(status: number, detail: string) {
  const title = STATUS_CODES[status] ?? 'Error'
  return { title, status, detail, code: title.toLowerCase().replaceAll(' ', '_') }
}

export const acceptsHtml = ({ headers }: Pick<IncomingMessage, 'headers'>) =>
  String(headers.accept ?? '').includes('text/html')

function begin({ outgoing, requestId }: Visit, status: number, config: Config) {
  outgoing.setHeader('x-request-id', requestId)
  for (const [name, value] of Object.entries(endpointHeaders(config))) outgoing.setHeader(name, value)
  outgoing.setHeader('cache-control', 'no-store')
  outgoing.statusCode = status
  // The attempt to send another answer may have set one.
  outgoing.statusMessage = STATUS_CODES[status] ?? ''
}

function finish({ incoming, outgoing }: Visit, type: string, body: string) {
  outgoing.setHeader('content-type', type)
  outgoing.setHeader('content-length', Buffer.byteLength(body))
  outgoing.end(incoming.method === 'HEAD' ? undefined : body)
}
