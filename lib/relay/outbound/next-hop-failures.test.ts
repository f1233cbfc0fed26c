import type { Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { freePorts } from '#lib/testing/process/free-ports'
import { closeHops, hopTo, letter, openHop } from '#lib/testing/relay/next-hop'
import type { Script } from '#lib/testing/relay/scripted-hop'

afterEach(closeHops)

describe('a server that says no', () => {
  const steps = ['MAIL', 'RCPT', 'DATA', 'content'] as const
  test.each(steps)('for good at %s: refused, with its code', async (step) => {
    const { server, hop } = await openHop({ [step]: '550 5.1.1 nobody here' })
    const handed = await hop.send(letter())
    expect(handed).toMatchObject({ kind: 'refused', code: 550 })
    // What is said of the sender says nothing of the inbox.
    expect('status' in handed ? handed.status : undefined).toBe(step === 'MAIL' ? undefined : '5.1.1')
    expect(server.messages).toHaveLength(step === 'content' ? 1 : 0)
  })

  test.each(steps)('for now at %s: later', async (step) => {
    const { hop } = await openHop({ [step]: '451-4.3.0 come\r\n451 4.3.0 back' })
    expect(await hop.send(letter())).toMatchObject({ kind: 'later', code: 451 })
  })

  test.each(steps)('with 421 at %s: later', async (step) => {
    const { hop } = await openHop({ [step]: (socket: Socket) => void socket.end('421 4.3.2 closing\r\n') })
    expect(await hop.send(letter())).toMatchObject({ kind: 'later' })
  })

  test.each(['greeting', 'EHLO', 'STARTTLS', 'AUTH'] as const)(
    'for good at %s: later, it is not about the message',
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

  test.each(['530 5.7.0 log in first', '503 5.5.1 EHLO first'])('%s: later, that is about us', async (MAIL) => {
    const { hop } = await openHop({ MAIL })
    expect(await hop.send(letter())).toMatchObject({ kind: 'later' })
  })

  test('to a pipelined envelope: the first refusal counts, and no message follows', async () => {
    const { server, hop } = await openHop({ EHLO: '250-hop.example\r\n250 PIPELINING', RCPT: '550 5.1.1 nobody' })
    expect(await hop.send(letter())).toMatchObject({ kind: 'refused', code: 550 })
    expect(server.messages.filter((message) => message.length > 0)).toEqual([])
  })

  test('while the message is still coming: its word counts, and the rest stays here', async () => {
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

describe('a server that fails', () => {
  const away = (socket: Socket) => void socket.destroy()
  const steps = ['greeting', 'EHLO', 'MAIL', 'RCPT', 'DATA', 'content'] as const

  test('is not there: later', async () => {
    const [port] = await freePorts(1)
    expect(await hopTo(`smtp://127.0.0.1:${port}`).send(letter())).toMatchObject({ kind: 'later' })
  })

  test.each(steps)('hangs up at %s: later, after the last dot too', async (step) => {
    const { hop } = await openHop({ [step]: away })
    expect(await hop.send(letter())).toMatchObject({ kind: 'later' })
  })

  test.each(steps)('closes quietly at %s: later', async (step) => {
    const { hop } = await openHop({ [step]: (socket: Socket) => void socket.end() })
    expect(await hop.send(letter())).toMatchObject({ kind: 'later' })
  })

  test.each(steps)('is silent at %s: later', async (step) => {
    const { hop } = await openHop({ [step]: undefined }, { connecting: 300, command: 300, whole: 1000 })
    expect(await hop.send(letter())).toMatchObject({ kind: 'later' })
  })

  test.each(['250 ta', '550 5.1.1 no', '250-more to come\r\n', '55', '2'])(
    'ends after half an answer, %j: later',
    async (half) => {
      for (const step of ['MAIL', 'RCPT', 'content'] as const) {
        const { hop } = await openHop({ [step]: (socket: Socket) => void socket.end(half) })
        expect([step, await hop.send(letter())]).toMatchObject([step, { kind: 'later' }])
      }
    },
  )

  test.each(['2', '25', '2xx fine', '354 again', 'OK'])('answers the message with %j: later', async (content) => {
    const { hop } = await openHop({ content })
    expect(await hop.send(letter())).toMatchObject({ kind: 'later' })
  })

  test('says yes before it can have everything: later', async () => {
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

  test.each<[string, NonNullable<Script['duringContent']>]>([
    ['hangs up', (socket, bytes) => void (bytes > 100_000 && socket.destroy())],
    ['stops reading', (socket) => void socket.pause()],
  ])('%s in the middle of the message: later', async (_, duringContent) => {
    const { server, hop } = await openHop({ duringContent }, { command: 1000 })
    expect(await hop.send(letter(Buffer.alloc(20 * 1024 * 1024, 'abcdefgh\r\n')))).toMatchObject({ kind: 'later' })
    expect(server.messages).toEqual([])
  })

  test('is silent beyond what is left of the time: later', async () => {
    const { hop } = await openHop({ MAIL: undefined })
    expect(await hop.send(letter(), 200)).toMatchObject({ kind: 'later', detail: 'it took too long' })
    expect(await hop.send(letter(), -1)).toMatchObject({ kind: 'later', detail: 'it took too long' })
  })

  test('trickles one answer for ever: later, when the whole has taken too long', async () => {
    const drip = (socket: Socket) => {
      const timer = setInterval(() => socket.write('250-still here\r\n'), 20)
      socket.on('close', () => clearInterval(timer))
    }
    const { hop } = await openHop({ MAIL: drip }, { whole: 500 })
    expect(await hop.send(letter())).toMatchObject({ kind: 'later', detail: 'it took too long' })
  })

  test.each(['EHLO', 'MAIL', 'RCPT', 'DATA'] as const)(
    'drips its answer to %s: later, after the time for one',
    async (step) => {
      const drip = (socket: Socket) => {
        const timer = setInterval(() => socket.write('2'), 10)
        socket.on('close', () => clearInterval(timer))
      }
      const { hop } = await openHop({ [step]: drip }, { command: 100 })
      expect(await hop.send(letter())).toEqual({ kind: 'later', detail: 'no whole answer in time' })
    },
  )

  test('thinks longer after the last dot than it may at a command: taken', async () => {
    const slow = (socket: Socket) => void setTimeout(() => socket.write('250 2.0.0 kept\r\n'), 900)
    const { hop } = await openHop({ content: slow }, { command: 300 })
    expect(await hop.send(letter())).toMatchObject({ kind: 'taken' })
  })
})
