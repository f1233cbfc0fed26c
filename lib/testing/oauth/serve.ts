import { request as httpRequest } from 'node:http'
import type { Context } from '#lib/server/compose/context'
import { makeFrontDoor } from '#lib/server/front-door/front-door'
import type { RouteModule } from '#lib/server/front-door/route-table'
import { routeTable } from '#lib/server/front-door/route-table'
import { makeWatch } from '#lib/server/front-door/watch'
import { listen, portOf } from '#lib/server/listen'

/** Serves endpoints of a Postern over HTTP behind the front door, without pages. */
export async function serve(context: Context, endpoints: Record<string, RouteModule>) {
  // Handlers get the context from getContext, which reads this slot.
  const slot = globalThis as { __posternContext?: Promise<Context> | undefined }
  slot.__posternContext = Promise.resolve(context)
  const none = routeTable({})
  const page = () => Promise.reject(new Error('There are no pages here.'))
  const doors = { endpoints: routeTable(endpoints), steps: none, pages: none, health: none, page }
  const server = await listen({ host: '127.0.0.1', port: 0 }, makeFrontDoor(context, doors, makeWatch(context)))
  const port = portOf(server)
  return {
    port,
    send: (address: string, init: Sent = {}) => send(port, new URL(address), init),
    close: () => {
      slot.__posternContext = undefined
      server.close()
      server.closeAllConnections()
    },
  }
}

/** A header with a list of values is sent once for each. */
export type Sent = { method?: string; headers?: Record<string, string | string[]>; body?: string }

function send(port: number, { host, pathname, search }: URL, { method = 'GET', headers = {}, body }: Sent) {
  return new Promise<Response>((resolve, reject) => {
    const path = `${pathname}${search}`
    const sent = httpRequest({ port, method, path, headers: { host, ...headers } }, async (answer) => {
      let text = ''
      for await (const chunk of answer) text += chunk
      const received = new Headers(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]))
      const status = answer.statusCode ?? 0
      // A Response with one of these statuses must have no body.
      resolve(new Response([204, 304].includes(status) ? null : text, { status, headers: received }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
