import { fstatSync, readdirSync, readlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { appMessage, openRelayTest } from '#lib/testing/relay/relay'
import { readyForData } from '#lib/testing/relay/slow-smtp'
import { speakSmtp } from '#lib/testing/relay/speak-smtp'

/** Spooled messages that are open here; they have no name any more. */
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

/** Bytes of buffers that somebody still has: what is garbage would make this a matter of luck. */
function heldInMemory(): number {
  // Once to find what is garbage, and once more to wait until it is swept.
  collect()
  collect()
  return process.memoryUsage().arrayBuffers
}

/** So much of a message that it has a place. */
const longBeginning = `Subject: ${'x'.repeat(70)}\r\n`.repeat(250)

const noRoom = { code: 451, text: '4.3.0 The message cannot be delivered at the moment, try again later' }

/** A limit for what hangs. */
const patience = { timeout: 20_000 }

test('a thousand idle connections and a thousand slow senders keep nobody else from being served', async () => {
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

test('a network has a hundred connections, and fifty messages at a time; another one has its own', async () => {
  const { server, send, alias } = await openRelayTest()
  const slow = await many(50, () => readyForData(server.port, alias, '127.0.3.1'))
  for (const { socket } of slow) socket.write('From:')
  // SPF alone is against it: a few bytes take no place.
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

test('fifty messages that come no further are given up after a minute, and their places are free again', async () => {
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
  // SPF alone is against it.
  await expect.poll(fromThere, patience).toMatchObject({ code: 550 })
})

test('a message of 25 MiB lies in no memory, neither as it comes in nor as it goes on', async () => {
  const { server, alias, context } = await openRelayTest()
  const smtp = await readyForData(server.port, alias)
  const before = heldInMemory()
  const held: number[] = []
  let left = -1
  context.relay.nextHop.send = async ({ read, size }) => {
    left = size
    for await (const piece of read() as AsyncIterable<Buffer>) {
      // As its first byte leaves, halfway and with the last.
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
  // Looked at four times, and the whole of it has gone on.
  expect([held.length, Math.max(...held) - before < 8 * 2 ** 20, left]).toEqual([4, true, 0])
  smtp.close()
})

test('who hangs up in DATA leaves nothing: no file, no row, no message, no complaint', async () => {
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

test('an address switched off while the message comes in is off', async () => {
  const { server, alias, prisma, hop } = await openRelayTest()
  const smtp = await readyForData(server.port, alias)
  await prisma.alias.updateMany({ data: { disabledAt: new Date() } })
  expect(await smtp.say(`${appMessage(alias)}.`)).toMatchObject({ code: 550, text: expect.stringMatching(/^5\.2\.1/) })
  smtp.close()
  expect(hop.arrived).toEqual([])
})

test('what cannot be noted of a message that was taken does not bring it a second time', async () => {
  const { send, context, hop } = await openRelayTest()
  context.relay.store.keepTaken = () => Promise.reject(new Error('the database is gone'))
  context.relay.store.count = () => Promise.reject(new Error('the database is gone'))
  expect(await send()).toMatchObject({ code: 250 })
  expect(hop.arrived).toHaveLength(1)
})

test('a message of half a million dots is given up long before its end, and others are served', async () => {
  const { server, hop, alias, send } = await openRelayTest()
  const smtp = await readyForData(server.port, alias)
  smtp.socket.write(`Subject: dots\r\n\r\n${'..\r\n'.repeat(600_000)}`)
  expect(await smtp.answer()).toMatchObject({ code: 421 })
  expect(await smtp.answer()).toMatchObject({ code: 0 })
  expect(await send()).toMatchObject({ code: 250 })
  expect(hop.arrived).toHaveLength(1)
})

test('closing during a message: it is answered, then the connection ends; others are sent away', async () => {
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
