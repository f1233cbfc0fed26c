import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt } from 'jose'
import { expect } from 'vitest'
import type { Postern } from '#lib/testing/process/postern'

type Held = { hold: Promise<void> | undefined; body: Promise<void> | undefined }
type Arrived = { path: string; contentType: string | undefined; body: string }

/**
 * Opens the back-channel endpoint of an app. A test sets `status`, `hold` to keep answers back, or `body` to keep back the
 * end of each answer.
 */
export async function openLogoutReceiver() {
  const arrived: Arrived[] = []
  const held: Held = { hold: undefined, body: undefined }
  const receiver = { arrived, status: 200, ...held, waiting: 0, mostWaiting: 0 }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    arrived.push({ path: request.url ?? '', contentType: request.headers['content-type'], body })
    receiver.waiting += 1
    receiver.mostWaiting = Math.max(receiver.mostWaiting, receiver.waiting)
    await receiver.hold
    response.writeHead(receiver.status)
    if (receiver.body) response.write('x')
    await receiver.body
    receiver.waiting -= 1
    response.end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  return Object.assign(receiver, {
    url,
    tokens: () => arrived.map(({ body }) => new URLSearchParams(body).get('logout_token') ?? ''),
    claims: () => arrived.map(({ body }) => decodeJwt(new URLSearchParams(body).get('logout_token') ?? '')),
    forget: () => void arrived.splice(0),
    close() {
      server.close()
      server.closeAllConnections()
    },
  })
}

export type LogoutReceiver = Awaited<ReturnType<typeof openLogoutReceiver>>

let sessions = 0

/** Signs a person in at apps in one new session, and exchanges the codes. */
export async function signInAt(
  postern: Postern,
  apps: string[],
  options: {
    exchange: (clientId: string, code: string) => Promise<Response>
    redirectUriOf: (clientId: string) => string
    /** The first id of the session, if a reauthentication has replaced that session. */
    of?: string
  },
) {
  const { context } = postern
  sessions += 1
  const id = `session-${sessions}`
  const username = 'ada'
  const { id: personId } = await context.database.prisma.person.findUniqueOrThrow({ where: { username } })
  const now = context.now()
  await context.signIn.createSession({
    id,
    publicId: `public-${id}`,
    firstId: options.of,
    personId,
    amr: ['pwd'],
    authenticatedAt: now,
    expiresAt: new Date(now.getTime() + 30 * 86_400_000),
    address: '',
    device: '',
  })
  const tokens: { id_token: string; refresh_token: string; access_token: string }[] = []
  for (const clientId of apps) {
    const redirectUri = options.redirectUriOf(clientId)
    const code = await postern.approve({ clientId, username, redirectUri, sessionId: options.of ?? id })
    const answer = await options.exchange(clientId, code)
    expect(answer.status).toBe(200)
    tokens.push(await answer.json())
  }
  return { id, personId, publicId: `public-${id}`, tokens }
}
