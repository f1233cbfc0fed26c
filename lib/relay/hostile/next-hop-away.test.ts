import { createServer, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { openRelayTest } from '#lib/testing/relay/relay'

/** Starts a mail server with fixed replies, which disconnects where no reply is given. */
async function startScript(answers: Record<string, string | undefined>) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    let data = false
    const say = (line: string | undefined) => (line === undefined ? socket.destroy() : socket.write(line))
    say(answers.greeting)
    socket.on('data', (chunk) => {
      const text = chunk.toString('latin1')
      if (data) {
        if (answers.body === undefined) return socket.destroy()
        if (!text.endsWith('\r\n.\r\n')) return
        data = false
        // An incomplete reply, followed by the end of the connection.
        return /^\d{3} .*\r\n$/.test(answers.body) ? say(answers.body) : socket.end(answers.body)
      }
      const command = text.slice(0, 4).toUpperCase()
      data = command === 'DATA'
      return say(answers[command])
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  onTestFinished(close)
  return { url: `smtp://127.0.0.1:${(server.address() as { port: number }).port}`, close }
}

const willing = {
  greeting: '220 hop\r\n',
  EHLO: '250 hop\r\n',
  MAIL: '250 ok\r\n',
  RCPT: '250 ok\r\n',
  DATA: '354 go on\r\n',
  body: '250 ok\r\n',
}

it.each<[string, object]>([
  ['disconnects at once', { greeting: undefined }],
  ['rejects the connection', { greeting: '554 not today, ada@example.org\r\n' }],
  ['disconnects after MAIL', { MAIL: undefined }],
  ['rejects the inbox temporarily', { RCPT: '450 4.2.1 ada@example.org\r\n' }],
  ['disconnects in DATA', { body: undefined }],
  ['sends an incomplete reply', { body: '250-ok ada@example.org\r\n' }],
  ['sends a reply without a line break', { body: '25' }],
  ['is out of storage', { body: '452 4.3.1 ada@example.org\r\n' }],
])('answers 451 while the next hop %s', async (_, change) => {
  const { url } = await startScript({ ...willing, ...change })
  const { send, prisma } = await openRelayTest({ env: { SMTP_URL: url } })
  expect(await send()).toEqual({
    code: 451,
    text: '4.3.0 The message cannot be delivered at the moment, try again later',
  })
  expect(await prisma.relayReceipt.count()).toBe(0)
})

it('answers 451 while the next hop does not listen', async () => {
  const { url, close } = await startScript(willing)
  close()
  const { send } = await openRelayTest({ env: { SMTP_URL: url } })
  expect(await send()).toMatchObject({ code: 451 })
})
