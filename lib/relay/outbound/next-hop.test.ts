import type { Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { closeHops, hopTo, letter, openHop, openRealServer, plain } from '#lib/testing/relay/next-hop'

afterEach(closeHops)

describe('connections', () => {
  it('are reused and closed with QUIT', async () => {
    const { server, hop } = await openHop()
    for (let i = 0; i < 5; i++) expect(await hop.send(letter())).toMatchObject({ kind: 'taken' })
    expect(server.connections()).toBe(1)
    await hop.close()
    expect(server.commands.at(-1)).toBe('QUIT')
  })

  it('are not reused after a negative reply', async () => {
    const { server, hop } = await openHop((connection) => (connection === 1 ? { RCPT: '450 4.2.1 later' } : {}))
    expect(await hop.send(letter())).toMatchObject({ kind: 'later', code: 450 })
    expect(await hop.send(letter())).toMatchObject({ kind: 'taken' })
    expect(server.connections()).toBe(2)
  })

  it('are closed after the idle time', async () => {
    const { server, hop } = await openHop({}, { idle: 10 })
    await hop.send(letter())
    await expect.poll(() => server.commands.at(-1)).toBe('QUIT')
  })

  it.each<[string, (socket: Socket) => void]>([
    ['disconnects', (socket) => void socket.destroy()],
    ['replies with 421', (socket) => void socket.end('421 4.4.2 idle too long\r\n')],
    ['does not reply', () => undefined],
  ])('that the server has ended (it %s at the next message) lose no message', async (_, end) => {
    let mails = 0
    const endSecond = (socket: Socket) => (++mails === 2 ? end(socket) : void socket.write('250 ok\r\n'))
    const { server, hop } = await openHop((connection) => (connection === 1 ? { MAIL: endSecond } : {}), {
      command: 500,
      whole: 3000,
    })
    expect(await hop.send(letter())).toMatchObject({ kind: 'taken' })
    expect(await hop.send(letter())).toMatchObject({ kind: 'taken' })
    expect([server.connections(), server.messages.length]).toEqual([2, 2])
  })

  it('cause no second transmission when they end after the final dot', async () => {
    let answers = 0
    const content = (socket: Socket) => (++answers === 2 ? void socket.destroy() : void socket.write('250 ok\r\n'))
    const { server, hop } = await openHop({ content })
    expect(await hop.send(letter())).toMatchObject({ kind: 'taken' })
    expect(await hop.send(letter())).toMatchObject({ kind: 'later' })
    expect(server.messages).toHaveLength(2)
  })

  it('are limited to twenty; a message that waits too long fails temporarily, the others pass', async () => {
    const { server, hop } = await openHop()
    const all = await Promise.all(Array.from({ length: 100 }, () => hop.send(letter())))
    expect(all.filter(({ kind }) => kind !== 'taken')).toEqual([])
    expect([server.mostAtOnce(), server.messages.length]).toEqual([20, 100])

    const deaf = await openHop({ MAIL: undefined }, { whole: 400 })
    const waited = await Promise.all(Array.from({ length: 30 }, () => deaf.hop.send(letter())))
    expect(waited.map((handed) => handed.kind)).toEqual(Array(30).fill('later'))
  })

  it('close after the current reply and accept no new message', async () => {
    let release = () => undefined as unknown
    const asked = Promise.withResolvers<void>()
    const { server, hop } = await openHop({
      content(socket) {
        release = () => socket.write('250 2.0.0 kept\r\n')
        asked.resolve()
      },
    })
    const underway = hop.send(letter())
    await asked.promise
    const closing = hop.close()
    expect(await hop.send(letter())).toMatchObject({ kind: 'later' })
    release()
    expect(await underway).toMatchObject({ kind: 'taken' })
    await closing
    expect([server.connections(), server.commands.at(-1)]).toEqual([1, 'QUIT'])
  })
})

describe('encryption and login', () => {
  it.each([
    ['smtp', false],
    ['smtps', true],
  ] as const)('are used with %s', async (scheme, secure) => {
    const seen: unknown[] = []
    const { port, messages } = await openRealServer({
      secure,
      authOptional: false,
      onAuth({ username, password }, session, done) {
        seen.push([username, password, session.secure])
        done(null, { user: username })
      },
    })
    const url = `${scheme}://ada:p%40ss@127.0.0.1:${port}?tls.rejectUnauthorized=false`
    expect(await hopTo(url).send(letter())).toMatchObject({ kind: 'taken' })
    expect([seen, messages]).toEqual([[['ada', 'p@ss', true]], [plain]])
  })

  it('fail temporarily with an untrusted certificate, before any command', async () => {
    const { port, messages } = await openRealServer()
    expect(await hopTo(`smtp://127.0.0.1:${port}`).send(letter())).toMatchObject({ kind: 'later' })
    expect(messages).toEqual([])
  })
})
