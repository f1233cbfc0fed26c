import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { endpointHeaders, pageHeaders } from '#lib/http/headers'
import { type CurrentRequest, withRequest } from '#lib/queue/current-request'
import type { Context } from '#lib/server/compose/context'
import { isLocalClient, makeClientAddress } from './client-address.ts'
import { startDeadline, usualPatience } from './deadline.ts'
import { answerEndpoint, type RouteModule } from './endpoint.ts'
import { claimHeaders, standInFront } from './own-headers.ts'
import type { AnswerPage } from './page.ts'
import { Refusal } from './refusal.ts'
import { answerLate, answerThrown } from './refuse.ts'
import { checkHost, pathOf } from './request-target.ts'
import type { Watch } from './watch.ts'

/** A host's answer to a path: a protocol endpoint, or undefined for what is a page (or nothing). */
export type Routes = { find(path: string): { template: string; module: RouteModule } | undefined }

type Doors = { endpoints: Routes; steps: Routes; pages: Routes; health: Routes; page: AnswerPage }

export type FrontDoor = (incoming: IncomingMessage, outgoing: ServerResponse) => void

/**
 * The way in for both hosts: names the request, keeps the hosts apart, calls protocol handlers directly and hands
 * pages to Next. Every answer is deliberate; a fault says nothing but its request id.
 */
export function makeFrontDoor(context: Context, doors: Doors, watch: Watch, patience = usualPatience): FrontDoor {
  const { config } = context
  standInFront()
  const addressOf = makeClientAddress(config.trustProxy)
  const answer = makeAnswer(context, doors)
  return (incoming, outgoing) => {
    const visit: Visit = {
      incoming,
      outgoing,
      requestId: makeRequestId(),
      host: 'none',
      route: 'none',
      isPage: false,
    }
    const forwardedFor = incoming.headers['x-forwarded-for']
    const clientAddress = addressOf(incoming.socket.remoteAddress ?? '', forwardedFor?.toString())
    claimHeaders(incoming.headers, { requestId: visit.requestId, clientAddress, isLocal: isLocalClient(incoming) })
    outgoing.setHeader('x-request-id', visit.requestId)
    const span = watch(visit)
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
      if (!current.isOver) answerThrown(visit, fault, config, span)
    })
  }
}

/** Finds the handler of a request's host and path, and calls it. */
function makeAnswer({ config, database }: Context, doors: Doors): (visit: Visit) => Promise<unknown> {
  const issuerHost = new URL(config.issuer).host
  const accountHost = new URL(config.accountUrl).host
  const site = { origin: config.issuer, headers: endpointHeaders(config) }
  const bare = Object.entries(endpointHeaders(config))

  return async (visit) => {
    const { incoming, outgoing } = visit
    const path = pathOf(incoming.url ?? '')
    const health = doors.health.find(path)
    checkHost(incoming, { mayBeAbsent: health !== undefined })
    const endpoint = health ?? (incoming.headers.host === issuerHost ? doors.endpoints.find(path) : undefined)
    if (endpoint) {
      visit.route = endpoint.template
      visit.host = health ? 'any' : 'issuer'
      return answerEndpoint(endpoint.module, incoming, outgoing, site)
    }
    if (incoming.headers.host === issuerHost) throw new Refusal(404, 'There is nothing at this address.')
    if (incoming.headers.host !== accountHost) throw new Refusal(421, 'This host is not served here.')
    visit.host = 'account'
    if (doors.endpoints.find(path)) throw new Refusal(404, 'There is nothing at this address.')
    const step = doors.steps.find(path)
    const shown = step ? undefined : doors.pages.find(path)
    visit.route = (step ?? shown)?.template ?? (path.startsWith('/_next/') ? '/_next/' : 'none')
    visit.isPage = shown !== undefined
    if (!step) {
      // For what Next answers before proxy.ts is asked; a page brings its own.
      for (const [name, value] of bare) outgoing.setHeader(name, value)
      const began = performance.now()
      return doors.page(incoming, outgoing, visit.requestId, () => database.trouble.since(began))
    }
    // Each answer gets a nonce of its own, as a page does; the few that have a body bring their own policy.
    const headers = pageHeaders(config, randomBytes(16).toString('base64url'))
    return answerEndpoint(step.module, incoming, outgoing, { origin: config.accountUrl, headers })
  }
}

/** 72 random bits: an id tells nothing of the ids before and after it. */
const makeRequestId = () => randomBytes(9).toString('base64url')

/** Aborts when the handler's answer is no longer wanted: the client is gone, or was refused for lateness. */
function whenAbandoned(outgoing: ServerResponse, request: CurrentRequest): AbortSignal {
  const controller = new AbortController()
  const abort = () => (outgoing.writableFinished && !request.isOver) || controller.abort()
  if (outgoing.destroyed) abort()
  else outgoing.once('close', abort)
  return controller.signal
}

/** One request on its way through. */
export type Visit = {
  incoming: IncomingMessage
  outgoing: ServerResponse
  requestId: string
  host: 'issuer' | 'account' | 'any' | 'none'
  /** The route's template, never the path itself: paths may carry what must not be recorded. */
  route: string
  isPage: boolean
}
