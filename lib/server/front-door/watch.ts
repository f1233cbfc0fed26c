import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, type Tracer, trace } from '@opentelemetry/api'
import type { Context } from '#lib/server/compose/context'
import type { Visit } from './visit.ts'

export type Watch = (visit: Visit) => { fault(fault: unknown): void }

/** Records each request in a log line, metrics and, if tracing is on, a span; uses path templates, never paths. */
export function makeWatch({ log, metrics }: Pick<Context, 'log' | 'metrics'>, tracer?: Tracer): Watch {
  const tally = makeTally(metrics)
  return (visit) => {
    const began = performance.now()
    const span = tracer && startSpan(tracer, visit)
    tally.begin()
    visit.outgoing.on('close', () => {
      const { host, route, isPage, requestId } = visit
      const method = visit.incoming.method ?? ''
      const status = visit.outgoing.writableFinished ? visit.outgoing.statusCode : 499
      const seconds = (performance.now() - began) / 1000
      tally.end({ host, route, method, status })
      metrics.duration.observe({ route }, seconds)
      const level = status >= 500 ? 'error' : status >= 400 || isPage ? 'info' : 'debug'
      log[level]({ requestId, host, route, method, status, ms: Math.round(seconds * 1000) }, 'request')
      span?.updateName(`${method} ${route}`)
      span?.setAttributes({ 'http.request.method': method, 'http.route': route, 'http.response.status_code': status })
      span?.end()
    })
    return {
      fault(fault) {
        log.error({ requestId: visit.requestId, route: visit.route, err: fault }, 'request failed')
        span?.setStatus({ code: SpanStatusCode.ERROR })
      },
    }
  }
}

type Labels = { host: string; route: string; method: string; status: number }

/** Counts requests by plain numbers, which prom-client gets when the metrics are read: its own counting takes longer. */
function makeTally({ requests, inFlight, beforeRead }: Context['metrics']) {
  const ended = new Map<string, { labels: Labels; count: number }>()
  let begun = 0
  beforeRead.push(() => {
    inFlight.inc(begun)
    begun = 0
    for (const one of ended.values()) requests.inc(one.labels, one.count)
    ended.clear()
  })
  return {
    begin() {
      begun++
    },
    end(labels: Labels) {
      begun--
      const key = `${labels.status} ${labels.method} ${labels.host} ${labels.route}`
      const known = ended.get(key)
      if (known) known.count++
      else ended.set(key, { labels, count: 1 })
    },
  }
}

/** Continues the trace of the caller's header, if there is one (W3C Trace Context). */
function startSpan(tracer: Tracer, visit: Visit) {
  const parent = /^00-([0-9a-f]{32})-([0-9a-f]{16})-0([01])$/.exec(String(visit.incoming.headers.traceparent ?? ''))
  const context = parent
    ? trace.setSpanContext(ROOT_CONTEXT, {
        traceId: parent[1] as string,
        spanId: parent[2] as string,
        traceFlags: parent[3] === '1' ? TraceFlags.SAMPLED : TraceFlags.NONE,
        isRemote: true,
      })
    : ROOT_CONTEXT
  return tracer.startSpan(
    'request',
    { kind: SpanKind.SERVER, attributes: { 'postern.request_id': visit.requestId } },
    context,
  )
}
