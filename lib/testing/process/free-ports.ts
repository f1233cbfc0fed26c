import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

// Below the range of ephemeral ports, so that no outgoing connection receives one of these.
const first = 15_000
const last = 32_000

/** Returns `count` different ports without a listener, for servers that a test starts. */
export async function freePorts(count: number): Promise<number[]> {
  const held: Server[] = []
  try {
    while (held.length < count) {
      const server = await listen(first + Math.floor(Math.random() * (last - first)))
      if (server) held.push(server)
    }
    return held.map(portOf)
  } finally {
    await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))))
  }
}

async function listen(port: number): Promise<Server | null> {
  const server = createServer()
  try {
    // Without a host, the port must be free on every address of both families.
    server.listen(port)
    await once(server, 'listening')
    return server
  } catch {
    return null
  }
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}
