import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/** The reply of a mail server to a command: a text, silence (undefined), or a function that controls the socket. */
export type Line = string | undefined | ((socket: Socket) => void)
export type Script = Partial<
  Record<'greeting' | 'EHLO' | 'HELO' | 'STARTTLS' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | 'content' | 'QUIT', Line>
> & {
  /** Called for each chunk of the message, with the number of bytes received so far. */
  duringContent?: (socket: Socket, bytes: number) => void
}

const manners: Script = {
  greeting: '220 hop.example ESMTP',
  EHLO: '250-hop.example\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 SIZE 40000000',
  HELO: '250 hop.example',
  MAIL: '250 2.1.0 ok',
  RCPT: '250 2.1.5 ok',
  DATA: '354 go on',
  content: '250 2.0.0 kept',
  QUIT: (socket) => socket.end('221 bye\r\n'),
}

/**
 * Opens a mail server on a raw socket that follows a script for each connection and records what it receives, byte
 * for byte.
 */
export async function openScriptedHop(script: Script | ((connection: number) => Script) = {}) {
  const commands: string[] = []
  const messages: Buffer[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  let most = 0
  const server = createServer((socket) => {
    connections++
    sockets.add(socket)
    most = Math.max(most, sockets.size)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    const lines = { ...manners, ...(typeof script === 'function' ? script(connections) : script) }
    talk(socket, lines, commands, messages)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    url: `smtp://127.0.0.1:${port}`,
    commands,
    messages,
    connections: () => connections,
    mostAtOnce: () => most,
    hangUp: () => Promise.all([...sockets].map((socket) => once(socket.destroy(), 'close'))),
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function talk(socket: Socket, script: Script, commands: string[], messages: Buffer[]) {
  let pending = Buffer.alloc(0)
  let inContent = false
  const say = (line: Line) => {
    if (typeof line === 'function') line(socket)
    else if (line !== undefined) socket.write(`${line}\r\n`)
  }
  const takeCommand = () => {
    const end = pending.indexOf('\r\n')
    if (end === -1) return false
    const command = pending.subarray(0, end).toString()
    pending = pending.subarray(end + 2)
    commands.push(command)
    const [verb = ''] = command.split(' ')
    const answer = script[verb as keyof Script] as Line
    inContent = verb === 'DATA' && typeof answer === 'string' && answer.startsWith('354')
    say(answer)
    return true
  }
  const takeContent = () => {
    script.duringContent?.(socket, pending.length)
    const end = pending.subarray(0, 3).toString() === '.\r\n' ? -2 : pending.indexOf('\r\n.\r\n')
    if (end === -1) return false
    messages.push(unstuff(pending.subarray(0, end + 2)))
    pending = pending.subarray(end + 5)
    inContent = false
    say(script.content)
    return true
  }
  say(script.greeting)
  socket.on('data', (chunk) => {
    pending = Buffer.concat([pending, chunk])
    while (inContent ? takeContent() : takeCommand()) if (pending.length === 0) break
  })
}

/** Undoes dot-stuffing (RFC 5321 §4.5.2) on bytes. */
const unstuff = (content: Buffer) => Buffer.from(content.toString('latin1').replace(/(^|\r\n)\./g, '$1'), 'latin1')
