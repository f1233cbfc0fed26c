import type { Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { freePorts } from '#lib/testing/process/free-ports'
import { closeHops, hopTo, letter, openHop } from '#lib/testing/relay/next-hop'
import type { Script } from '#lib/testing/relay/scripted-hop'

afterEach(closeHops)

describe('a rejection by the next hop', () => {
  const steps = ['MAIL', 'RCPT', 'DATA', 'content'] as const
  it.each(steps)('is permanent at %s and returns its code', async (step) => {
    const { server, hop } = await openHop({ [step]: '550 5.1.1 nobody here' })
    const handed = await hop.send(letter())
    expect(handed).toMatchObject({ kind: 'refused', code: 550 })
    // A rejection of the sender address must not count as a failure of the inbox.
    expect('status' in handed ? handed.status : undefined).toBe(step === 'MAIL' ? undefined : '5.1.1')
    expect(server.messages).toHaveLength(step === 'content' ? 1 : 0)
  })

  it.each(steps)('is temporary at %s', async (step) => {
    const { hop } = await openHop({ [step]: '451-4.3.0 come\r\n451 4.3.0 back' })
    expect(await hop.send(letter())).toMatchObject({ kind: 'later', code: 451 })
  })

  it.each(steps)('is temporary with 421 at %s', async (step) => {
    const { hop } = await openHop({ [step]: (socket: Socket) => void socket.end('421 4.3.2 closing\r\n') })
    expect(await hop.send(letter())).toMatchObject({ kind: 'later' })
  })

  it.each(['greeting', 'EHLO', 'STARTTLS', 'AUTH'] as const)(
    'is temporary at %s even with a permanent code, because it does not concern the message',
    async (step) => {
      const offers = '250-hop.example\r\n250-AUTH PLAIN\r\n250 STARTTLS'
      const script: Script = {
        EHLO: step === 'STARTTLS' ? offers : '250-hop.example\r\n250 AUTH PLAIN',
        HELO: '550 no',
        [step]: '554 5.7.1 go away',
      }
      const { server } = await openHop(script)
      const hop = hopTo(server.url.replace('//', '//user:secret@'))
      const handed = await hop.send(letter())
      expect(handed).toMatchObject({ kind: 'later', detail: expect.not.stringContaining('secret') })
      expect(server.commands.filter((line) => line.startsWith('MAIL'))).toEqual([])
    },
  )

  it.each(['530 5.7.0 log in first', '503 5.5.1 EHLO first'])(
    'is temporary with %s, because it concerns the relay',
    async (MAIL) => {
      const { hop } = await openHop({ MAIL })
      expect(await hop.send(letter())).toMatchObject({ kind: 'later' })
    },
  )

  it('ends a pipelined envelope with its first rejection and sends no message', async () => {
    const { server, hop } = await openHop({ EHLO: '250-hop.example\r\n250 PIPELINING', RCPT: '550 5.1.1 nobody' })
    expect(await hop.send(letter())).toMatchObject({ kind: 'refused', code: 550 })
    expect(server.messages.filter((message) => message.length > 0)).toEqual([])
  })

  it('ends the transmission when it arrives during the message, and returns its code', async () => {
    const content = Buffer.alloc(20 * 1024 * 1024, 'abcdefgh\r\n')
    let said = false
    const { server, hop } = await openHop({
      duringContent(socket) {
        if (!said) socket.write('552 5.3.4 too much\r\n')
        said = true
      },
    })
    expect(await hop.send(letter(content))).toMatchObject({ kind: 'refused', code: 552 })
    expect(server.messages).toEqual([])
  })
})

describe('a failure of the next hop', () => {
  const away = (socket: Socket) => void socket.destroy()
  const steps = ['greeting', 'EHLO', 'MAIL', 'RCPT', 'DATA', 'content'] as const

  it('is temporary when the server does not listen', async () => {
    const [port] = await freePorts(1)
    expect(await hopTo(`smtp://127.0.0.1:${port}`).send(letter())).toMatchObject({ kind: 'later' })
  })

  it.each(steps)('is temporary when the server disconnects at %s, also after the final dot', async (step) => {
    const { hop } = await openHop({ [step]: away })
    expect(await hop.send(letter())).toMatchObject({ kind: 'later' })
  })

  it.each(steps)('is temporary when the server closes the connection at %s', async (step) => {
    const { hop } = await openHop({ [step]: (socket: Socket) => void socket.end() })
    expect(await hop.send(letter())).toMatchObject({ kind: 'later' })
  })

  it.each(steps)('is temporary when the server is silent at %s', async (step) => {
    const { hop } = await openHop({ [step]: undefined }, { connecting: 300, command: 300, whole: 1000 })
    expect(await hop.send(letter())).toMatchObject({ kind: 'later' })
  })

  it.each(['250 ta', '550 5.1.1 no', '250-more to come\r\n', '55', '2'])(
    'is temporary when the server ends after the incomplete reply %j',
    async (half) => {
      for (const step of ['MAIL', 'RCPT', 'content'] as const) {
        const { hop } = await openHop({ [step]: (socket: Socket) => void socket.end(half) })
        expect([step, await hop.send(letter())]).toMatchObject([step, { kind: 'later' }])
      }
    },
  )

  it.each(['2', '25', '2xx fine', '354 again', 'OK'])(
    'is temporary when the server answers the message with %j',
    async (content) => {
      const { hop } = await openHop({ content })
      expect(await hop.send(letter())).toMatchObject({ kind: 'later' })
    },
  )

  it('is temporary when the server accepts the message before its end', async () => {
    const content = Buffer.alloc(20 * 1024 * 1024, 'abcdefgh\r\n')
    let said = false
    const { hop } = await openHop({
      duringContent(socket) {
        if (!said) socket.write('250 2.0.0 kept\r\n')
        said = true
      },
    })
    expect(await hop.send(letter(content))).toMatchObject({ kind: 'later' })
  })

  it.each<[string, NonNullable<Script['duringContent']>]>([
    ['disconnects', (socket, bytes) => void (bytes > 100_000 && socket.destroy())],
    ['stops reading', (socket) => void socket.pause()],
  ])('is temporary when the server %s in the middle of the message', async (_, duringContent) => {
    const { server, hop } = await openHop({ duringContent }, { command: 1000 })
    expect(await hop.send(letter(Buffer.alloc(20 * 1024 * 1024, 'abcdefgh\r\n')))).toMatchObject({ kind: 'later' })
    expect(server.messages).toEqual([])
  })

  it('is temporary when the server is silent until the remaining time is over', async () => {
    const { hop } = await openHop({ MAIL: undefined })
    expect(await hop.send(letter(), 200)).toMatchObject({ kind: 'later', detail: 'it took too long' })
    expect(await hop.send(letter(), -1)).toMatchObject({ kind: 'later', detail: 'it took too long' })
  })

  it('is temporary when the server trickles one reply until the total time is over', async () => {
    const drip = (socket: Socket) => {
      const timer = setInterval(() => socket.write('250-still here\r\n'), 20)
      socket.on('close', () => clearInterval(timer))
    }
    const { hop } = await openHop({ MAIL: drip }, { whole: 500 })
    expect(await hop.send(letter())).toMatchObject({ kind: 'later', detail: 'it took too long' })
  })

  it.each(['EHLO', 'MAIL', 'RCPT', 'DATA'] as const)(
    'is temporary when the server drips its reply to %s past the time for one command',
    async (step) => {
      const drip = (socket: Socket) => {
        const timer = setInterval(() => socket.write('2'), 10)
        socket.on('close', () => clearInterval(timer))
      }
      const { hop } = await openHop({ [step]: drip }, { command: 100 })
      expect(await hop.send(letter())).toEqual({ kind: 'later', detail: 'no whole answer in time' })
    },
  )

  it('does not include a long wait after the final dot, beyond the time for a command', async () => {
    const slow = (socket: Socket) => void setTimeout(() => socket.write('250 2.0.0 kept\r\n'), 900)
    const { hop } = await openHop({ content: slow }, { command: 300 })
    expect(await hop.send(letter())).toMatchObject({ kind: 'taken' })
  })
})
