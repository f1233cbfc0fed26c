import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt } from 'jose'

type Arrived = { path: string; headers: Record<string, string | string[] | undefined>; token: string }

/**
 * Opens the receiver of security events of several apps, each with a path of its own. A test sets `status` and `body` for
 * all paths or, in `answers`, for one; `hold` keeps the answers back.
 */
export async function openEventReceiver() {
  const arrived: Arrived[] = []
  const answers = new Map<string, { status: number; body?: string }>()
  const receiver = { status: 202, body: '', hold: undefined as Promise<void> | undefined }
  const server = createServer(async (request, response) => {
    let token = ''
    for await (const chunk of request) token += chunk
    const path = request.url ?? ''
    arrived.push({ path, headers: request.headers, token })
    await receiver.hold
    const { status, body = '' } = answers.get(path) ?? receiver
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return Object.assign(receiver, {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    arrived,
    answers,
    /** Lists the events that arrived at a path, or at all, by the last part of their type. */
    types: (path?: string) =>
      arrived
        .filter((one) => path === undefined || one.path === path)
        .map(({ token }) => Object.keys(decodeJwt<{ events: object }>(token).events)[0]?.split('/').at(-1) ?? ''),
    forget() {
      arrived.splice(0)
      answers.clear()
      Object.assign(receiver, { status: 202, body: '', hold: undefined })
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  })
}

export type EventReceiver = Awaited<ReturnType<typeof openEventReceiver>>
