import { fstatSync, readdirSync, readlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it, onTestFinished, vi } from 'vitest'
import { appMessage, openRelayTest } from '#lib/testing/relay/relay'
import { readyForData } from '#lib/testing/relay/slow-smtp'
import { speakSmtp } from '#lib/testing/relay/speak-smtp'

/** Returns the open spool files of this process. They are unlinked. */
const spooled = () =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(`${tmpdir()}/relay-`)
    } catch {
      return false
    }
  })

const many = <Made>(count: number, make: (at: number) => Promise<Made>) =>
  Promise.all(Array.from({ length: count }, (_, at) => make(at)))

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Returns the bytes of live buffers. Collects garbage first, because otherwise the result would depend on chance. */
function heldInMemory(): number {
  // The first call finds the garbage, the second waits until it is freed.
  collect()
  collect()
  return process.memoryUsage().arrayBuffers
}

/** Long enough that the message occupies a slot. */
const longBeginning = `Subject: ${'x'.repeat(70)}\r\n`.repeat(250)

const noRoom = { code: 451, text: '4.3.0 The message cannot be delivered at the moment, try again later' }

/** Catches hanging tests. */
const patience = { timeout: 20_000 }

it('serves others during a thousand idle connections and a thousand slow senders', async () => {
  const { server, send, alias, hop } = await openRelayTest()
  const idle = await many(1000, (at) => speakSmtp(server.port, `127.0.1.${at % 20}`))
  expect(idle.every(({ greeting }) => greeting.code === 220)).toBe(true)
  const slow = await many(1000, (at) => readyForData(server.port, alias, `127.0.2.${at % 20}`))
  for (const { socket } of slow) socket.write('From: <news@acme.example>\r\nSubj')
  expect(await send()).toMatchObject({ code: 250 })
  for (const { socket } of slow) socket.write('e')
  expect(await send({ message: appMessage(alias).replace('order-7', 'order-8') })).toMatchObject({ code: 250 })
  expect(hop.arrived).toHaveLength(2)
  for (const { close } of [...idle, ...slow]) close()
})

it('allows a network a hundred connections and fifty concurrent messages, independently of other networks', async () => {
  const { server, send, alias } = await openRelayTest()
  const slow = await many(50, () => readyForData(server.port, alias, '127.0.3.1'))
  for (const { socket } of slow) socket.write('From:')
  // The rejection comes from SPF alone: a few bytes occupy no slot.
  expect(await send({ localAddress: '127.0.3.1' })).toMatchObject({ code: 550 })
  for (const { socket } of slow) socket.write(longBeginning)
  await expect.poll(() => send({ localAddress: '127.0.3.1' }), patience).toEqual(noRoom)
  await many(50, () => speakSmtp(server.port, '127.0.3.1'))
  expect((await speakSmtp(server.port, '127.0.3.1')).greeting).toMatchObject({ code: 421 })
  expect(await send()).toMatchObject({ code: 250 })
  for (const { close } of slow) close()
  const greeted = async () => (await speakSmtp(server.port, '127.0.3.1')).greeting.code
  await expect.poll(greeted, patience).toBe(220)
})

it('gives up fifty stalled messages after a minute and releases their slots', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { server, send, alias } = await openRelayTest()
  const fromThere = () => send({ localAddress: '127.0.3.1' })
  const slow = await many(50, () => readyForData(server.port, alias, '127.0.3.1'))
  for (const { socket } of slow) socket.write(longBeginning)
  await expect.poll(fromThere, patience).toEqual(noRoom)
  vi.advanceTimersByTime(60_000)
  expect(await fromThere()).toEqual(noRoom)
  vi.advanceTimersByTime(60_000)
  for (const { answer } of slow)
    expect(await answer()).toEqual({ code: 421, text: '4.4.2 The message arrived too slowly' })
  // The rejection comes from SPF alone.
  await expect.poll(fromThere, patience).toMatchObject({ code: 550 })
})

it('keeps a message of 25 MiB out of memory while it receives and while it sends', async () => {
  const { server, alias, context } = await openRelayTest()
  const smtp = await readyForData(server.port, alias)
  const before = heldInMemory()
  const held: number[] = []
  let left = -1
  context.relay.nextHop.send = async ({ read, size }) => {
    left = size
    for await (const piece of read() as AsyncIterable<Buffer>) {
      // Measured with the first byte, halfway and with the last byte.
      if (left === size || (left > size / 2 && left - piece.length <= size / 2)) held.push(heldInMemory())
      left -= piece.length
    }
    held.push(heldInMemory())
    return { kind: 'taken', response: '' }
  }
  const body = Buffer.from(`${'x'.repeat(1022)}\r\n`.repeat(64))
  smtp.socket.write(appMessage(alias, { body: '' }))
  for (let piece = 0; piece < 399; piece++) await new Promise((done) => smtp.socket.write(body, done))
  await expect.poll(() => fstatSync(Number(spooled()[0])).size, patience).toBeGreaterThan(24 * 2 ** 20)
  held.push(heldInMemory())
  expect(await smtp.say('.')).toMatchObject({ code: 250 })
  // Measured four times, and the whole message was sent.
  expect([held.length, Math.max(...held) - before < 8 * 2 ** 20, left]).toEqual([4, true, 0])
  smtp.close()
})

it('leaves no file, row, message or error after a client disconnects in DATA', async () => {
  const { server, alias, hop, prisma, context, send } = await openRelayTest()
  const faults: unknown[] = []
  context.relay.events.fault = (fault) => faults.push(fault)
  const rows = () =>
    Promise.all([prisma.relayReceipt.count(), prisma.reverseAddress.count(), prisma.threadMark.count()])
  const gone = await many(20, () => readyForData(server.port, alias))
  for (const { socket } of gone) socket.write(`${appMessage(alias)}${`${'x'.repeat(98)}\r\n`.repeat(4000)}`)
  await expect.poll(() => spooled().length, patience).toBe(20)
  for (const { socket } of gone) socket.resetAndDestroy()
  await expect.poll(() => spooled(), patience).toEqual([])
  expect(await rows()).toEqual([0, 0, 0])
  expect([hop.arrived, faults]).toEqual([[], []])
  expect(await send()).toMatchObject({ code: 250 })
})

it('rejects a message for an address that was switched off during DATA', async () => {
  const { server, alias, prisma, hop } = await openRelayTest()
  const smtp = await readyForData(server.port, alias)
  await prisma.alias.updateMany({ data: { disabledAt: new Date() } })
  expect(await smtp.say(`${appMessage(alias)}.`)).toMatchObject({ code: 550, text: expect.stringMatching(/^5\.2\.1/) })
  smtp.close()
  expect(hop.arrived).toEqual([])
})

it('sends an accepted message once, although the bookkeeping fails', async () => {
  const { send, context, hop } = await openRelayTest()
  context.relay.store.keepTaken = () => Promise.reject(new Error('the database is gone'))
  context.relay.store.count = () => Promise.reject(new Error('the database is gone'))
  expect(await send()).toMatchObject({ code: 250 })
  expect(hop.arrived).toHaveLength(1)
})

it('gives up a message of half a million dots early and serves others', async () => {
  const { server, hop, alias, send } = await openRelayTest()
  const smtp = await readyForData(server.port, alias)
  smtp.socket.write(`Subject: dots\r\n\r\n${'..\r\n'.repeat(600_000)}`)
  expect(await smtp.answer()).toMatchObject({ code: 421 })
  expect(await smtp.answer()).toMatchObject({ code: 0 })
  expect(await send()).toMatchObject({ code: 250 })
  expect(hop.arrived).toHaveLength(1)
})

it('answers the current message on shutdown and then closes, and rejects other connections', async () => {
  const { server, alias, hop } = await openRelayTest()
  const smtp = await readyForData(server.port, alias)
  const other = await speakSmtp(server.port)
  await other.say('EHLO mail.acme.example')
  const closed = server.close()
  expect(await other.say('MAIL FROM:<news@acme.example>')).toMatchObject({ code: 421 })
  expect(await smtp.say(`${appMessage(alias)}.`)).toMatchObject({ code: 250 })
  expect(await smtp.answer()).toMatchObject({ code: 421 })
  expect(await smtp.answer()).toMatchObject({ code: 0 })
  await closed
  expect(hop.arrived).toHaveLength(1)
})
