import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context } from '#lib/server/compose/context'
import type { Routes } from '#lib/server/front-door/route-table'

/**
 * Answers on the operator's listener, which serves metrics and health checks only. The public hosts never serve
 * metrics.
 */
export function answerMetrics({ metrics, config }: Pick<Context, 'metrics' | 'config'>, health: Routes) {
  return async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const get = health.find(incoming.url ?? '')?.module.GET
    const answer = get && (await get(new Request(config.issuer)))
    if (answer) {
      outgoing.statusCode = answer.status
      outgoing.end(await answer.text())
    } else if (incoming.url === '/metrics') {
      outgoing.setHeader('content-type', metrics.registry.contentType)
      outgoing.end(await metrics.registry.metrics())
    } else {
      outgoing.statusCode = 404
      outgoing.end()
    }
  }
}
