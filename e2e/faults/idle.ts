import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Provider } from '../wire/provider.ts'

/** Opens connections to one node, sends nothing for five seconds, and closes them. */
export async function idle({ nodes }: Provider, count: number): Promise<void> {
  const [host, port] = nodes[0]?.env.LISTEN_ISSUER?.split(':') ?? []
  const sockets = Array.from({ length: count }, () => connect(Number(port), host).on('error', () => undefined))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  await pause(5000)
  for (const socket of sockets) socket.destroy()
}
