import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A TCP proxy to a local server. A test can cut, restore and silence its connections. */
export type Line = Awaited<ReturnType<typeof openLine>>

/** Opens a proxy to a port of 127.0.0.1. */
export async function openLine(target: number) {
  const ends = new Set<Socket>()
  let isSilent = false
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(from)
      from.on('data', (bytes) => isMute(from) || to.write(bytes))
      from.on('error', () => undefined)
      from.on('close', () => {
        ends.delete(from)
        if (!isMute(from)) to.destroy()
      })
    }
    if (isSilent) silence([near, far])
  })
  const mute = new WeakSet<Socket>()
  const isMute = (socket: Socket) => mute.has(socket)
  const silence = (sockets: Iterable<Socket>) => {
    for (const socket of sockets) mute.add(socket)
  }
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as { port: number }).port
  }
  const port = await listen(0)
  return {
    port,
    /** Returns the URL with the proxy's port. */
    through: (url: string) => Object.assign(new URL(url), { port: String(port) }).href,
    /** Keeps connections open but transfers no more data; with `also`, new connections transfer none either. */
    fallSilent(also: 'new ones too' | undefined = undefined) {
      isSilent = also !== undefined
      silence(ends)
    },
    /** Ends every connection and refuses new ones. */
    async cut() {
      const closed = server.listening ? once(server, 'close') : undefined
      server.close()
      for (const socket of ends) socket.destroy()
      await closed
    },
    /** Accepts new connections again; silenced connections stay silent. */
    async mend() {
      isSilent = false
      if (!server.listening) await listen(port)
    },
  }
}
