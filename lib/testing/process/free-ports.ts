import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { threadId } from 'node:worker_threads'

// Below the range of ephemeral ports, so that no outgoing connection receives one of these.
const first = 15_000
// Each process draws from a slice of its own. It listens on the first port of the slice as long as it runs, so that no
// other process takes the slice: between the draw of a port and the start of its server, nothing else holds the port.
const slices = 68
const size = 250
let slice: Promise<number> | undefined
let drawn = 0

/** Returns `count` different ports without a listener, for servers that a test starts. */
export async function freePorts(count: number): Promise<number[]> {
  slice ??= takeSlice(process.pid + 11 * threadId)
  const start = (await slice) + 1
  const held: Server[] = []
  try {
    while (held.length < count) {
      const server = await listen(start + (drawn++ % (size - 1)))
      if (server) held.push(server)
    }
    return held.map(portOf)
  } finally {
    await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))))
  }
}

/** Takes a slice that no other process holds, and returns its first port. The search begins at the slice with the number `wanted`. */
export async function takeSlice(wanted: number): Promise<number> {
  for (let tried = 0; tried < slices; tried++) {
    const port = first + ((wanted + tried) % slices) * size
    const server = await listen(port)
    if (!server) continue
    server.unref()
    return port
  }
  throw new Error(`Other processes hold all ${slices} slices of ports from ${first}.`)
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
