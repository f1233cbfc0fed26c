import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { threadId } from 'node:worker_threads'

// Below the range of ephemeral ports, so that no outgoing connection receives one of these.
const first = 15_000
// Each process draws from a slice of its own, in turn, so that two of them rarely draw one port at the same time.
const [slices, size] = [34, 500]
const slice = first + ((process.pid + 11 * threadId) % slices) * size
let drawn = Math.floor(Math.random() * size)

/** Returns `count` different ports without a listener, for servers that a test starts. */
export async function freePorts(count: number): Promise<number[]> {
  const held: Server[] = []
  try {
    while (held.length < count) {
      const server = await listen(slice + (drawn++ % size))
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
