import type { IncomingMessage, ServerResponse } from 'node:http'
import { random } from '#lib/crypto/random'
import { endpointHeaders, pageHeaders } from '#lib/http/headers'
import { type CurrentRequest, withRequest } from '#lib/queue/current-request'
import { endOfTurn } from '#lib/queue/end-of-turn'
import type { Context } from '#lib/server/compose/context'
import type { AnswerPage } from '#lib/server/front-door/pages/answer-page'
import { issuerHomePath } from '#lib/server/plain-page/issuer-home-path'
import { admit, type Importance, type Lateness, watchDelay } from './admission.ts'
import { startDeadline, usualPatience } from './deadline.ts'
import { answerEndpoint } from './endpoint.ts'
import { type KeptAnswers, makeKeptAnswers, sendKept } from './kept-answers.ts'
import { claimHeaders, isLocalClient, makeClientAddress, markBehindFrontDoor } from './own-headers.ts'
import { answerLate, answerThrown, Refusal } from './refuse.ts'
import { checkHost, pathOf, type RouteModule, type Routes } from './route-table.ts'
import type { Visit } from './visit.ts'
import type { Watch } from './watch.ts'

type Site = { endpoints: Routes; steps: Routes; pages: Routes; health: Routes; page: AnswerPage }

export type FrontDoor = (incoming: IncomingMessage, outgoing: ServerResponse) => void

/**
 * Handles the requests of both hosts: gives each request an id, keeps the hosts apart, calls the handlers of
 * endpoints and form steps directly, and passes page requests to Next. An internal error shows the client only the
 * request id.
 */
export function makeFrontDoor(
  context: Context,
  routes: Site,
  watch: Watch,
  patience = usualPatience,
  lateness = watchDelay(),
): FrontDoor {
  const { config } = context
  markBehindFrontDoor()
  const addressOf = makeClientAddress(config.trustProxy)
  const makeRequestId = drawRequestIds()
  const kept = makeKeptAnswers(routes.endpoints, new URL(config.issuer).host, endpointHeaders(config))
  const answer = makeAnswer(context, routes, kept, lateness)
  return (incoming, outgoing) => {
    const ready = kept.find(incoming)
    const visit: Visit = {
      incoming,
      outgoing,
      requestId: makeRequestId(),
      host: ready ? 'issuer' : 'none',
      route: ready?.route ?? 'none',
      isPage: false,
    }
    const span = watch(visit)
    const failed = (fault: unknown) => answerThrown(visit, fault, config, span)
    if (ready)
      return void endOfTurn()
        .then(() => sendKept(ready, visit))
        .catch(failed)
    const forwardedFor = incoming.headers['x-forwarded-for']
    const clientAddress = addressOf(incoming.socket.remoteAddress ?? '', forwardedFor?.toString())
    claimHeaders(incoming.headers, { requestId: visit.requestId, clientAddress, isLocal: isLocalClient(incoming) })
    const current: CurrentRequest = {
      id: visit.requestId,
      address: clientAddress,
      abandoned: () => whenAbandoned(outgoing, current),
    }
    startDeadline(
      visit,
      () => {
        current.isOver = true
        span.fault(new Error('The request had no answer in time.'))
        answerLate(visit, config)
      },
      patience,
    )
    withRequest(current, () => answer(visit)).catch((fault: unknown) => {
      if (!current.isOver) failed(fault)
    })
  }
}

/** Calls the handler for the host and path of a request. */
function makeAnswer(
  { config, database }: Context,
  routes: Site,
  kept: KeptAnswers,
  lateness: () => Lateness,
): (visit: Visit) => Promise<unknown> {
  const issuerHost = new URL(config.issuer).host
  const accountHost = new URL(config.accountUrl).host
  const site = { origin: config.issuer, headers: endpointHeaders(config) }
  const bare = Object.entries(endpointHeaders(config))

  return async (visit) => {
    const { incoming, outgoing } = visit
    const path = pathOf(incoming.url ?? '')
    const health = routes.health.find(path)
    checkHost(incoming, { mayBeAbsent: health !== undefined })
    const onIssuer = incoming.headers.host === issuerHost
    const endpoint = health ?? (onIssuer ? routes.endpoints.find(path === '/' ? issuerHomePath : path) : undefined)
    if (endpoint) {
      visit.route = endpoint.template
      visit.host = health ? 'any' : 'issuer'
      // A load balancer must learn that the process lives, however busy it is.
      if (!health) admit(importanceOf(endpoint, 'protocol'), lateness())
      return answerEndpoint(endpoint.module, visit, site, kept)
    }
    if (onIssuer) throw new Refusal(404, 'There is nothing at this address.')
    if (incoming.headers.host !== accountHost) throw new Refusal(421, 'This host is not served here.')
    visit.host = 'account'
    if (routes.endpoints.find(path)) throw new Refusal(404, 'There is nothing at this address.')
    const step = routes.steps.find(path)
    const shown = step ? undefined : routes.pages.find(path)
    visit.route = (step ?? shown)?.template ?? (path.startsWith('/_next/') ? '/_next/' : 'none')
    visit.isPage = shown !== undefined
    if (step || shown) admit(step ? importanceOf(step, 'step') : 'page', lateness())
    if (!step) {
      // For answers that Next gives without calling proxy.ts; a page replaces these headers.
      for (const [name, value] of bare) outgoing.setHeader(name, value)
      outgoing.setHeader('x-request-id', visit.requestId)
      const began = performance.now()
      return routes.page(incoming, outgoing, visit.requestId, () => database.trouble.since(began))
    }
    // Each answer has a new nonce, as a page has. The few answers with a body set their own policy.
    const headers = pageHeaders(config, random(16).toString('base64url'))
    return answerEndpoint(step.module, visit, { origin: config.accountUrl, headers })
  }
}

function importanceOf({ template, module }: { template: string; module: RouteModule }, usual: Importance): Importance {
  if (module.isPicture) return 'picture'
  // A browser visits this endpoint, and a person can reload a refused page.
  return template === '/oauth2/authorize' ? 'step' : usual
}

const idLength = 12

/**
 * Returns a function that returns ids of 72 random bits, so that an id reveals nothing about other requests. Draws 256 ids
 * at once: drawing each by itself took a twentieth of the time of a kept answer.
 */
function drawRequestIds(): () => string {
  let drawn = ''
  let at = 0
  return () => {
    if (at === drawn.length) {
      drawn = random(256 * 9).toString('base64url')
      at = 0
    }
    at += idLength
    return drawn.slice(at - idLength, at)
  }
}

/**
 * Aborts when the handler's answer can no longer be sent: the client disconnected, or the deadline passed and 503 was
 * sent.
 */
function whenAbandoned(outgoing: ServerResponse, request: CurrentRequest): AbortSignal {
  const controller = new AbortController()
  const abort = () => (outgoing.writableFinished && !request.isOver) || controller.abort()
  if (outgoing.destroyed) abort()
  else outgoing.once('close', abort)
  return controller.signal
}
