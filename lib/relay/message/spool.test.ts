import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { type Spooled, spool, spoolSizes } from './spool.ts'

const folder = mkdtempSync(join(tmpdir(), 'spool-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const small = { memory: 64, total: 1000, pieces: 100, folder }
const kept: Spooled[] = []
afterEach(async () => {
  for (const spooled of kept.splice(0)) await spooled.discard()
})

async function take(message: Buffer | string, limits = small) {
  const outcome = await spool(Readable.from([Buffer.from(message)]), limits)
  if (outcome.kind === 'spooled') kept.push(outcome)
  return outcome
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function taken(message: Buffer | string, limits = small) {
  const spooled = await take(message, limits)
  if (spooled.kind !== 'spooled') throw new Error(spooled.kind)
  return spooled
}

function* inPieces(message: Buffer) {
  for (let at = 0; at < message.length; at += 1000) yield message.subarray(at, at + 1000)
}

/** Returns the open files of this process in the folder, including unlinked ones. */
const openFiles = () =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`)
      return path.startsWith(folder) ? [{ path, mode: statSync(`/proc/self/fd/${fd}`).mode & 0o777 }] : []
    } catch {
      return []
    }
  })

describe('an accepted message', () => {
  const head = 'From: a@b.example\r\nSubject: x\r\n\r\n'

  it.each([
    ['in memory', 'line\r\n'],
    ['in a file', 'line\r\n'.repeat(100)],
  ])('can be read repeatedly, whole, in parts and with another header block, %s', async (_where, body) => {
    const spooled = await taken(head + body)
    expect(spooled).toMatchObject({
      size: head.length + body.length,
      bodySize: body.length,
      eightBit: false,
      utf8Head: false,
      bodySha256: sha256(Buffer.from(body)),
    })
    expect(spooled.head.toString()).toBe(head)
    for (let time = 0; time < 2; time++) {
      expect((await buffer(spooled.read())).toString()).toBe(head + body)
      expect((await buffer(spooled.body())).toString()).toBe(body)
      expect((await buffer(spooled.withHead(Buffer.from('X: y\r\n\r\n')))).toString()).toBe(`X: y\r\n\r\n${body}`)
    }
    expect((await spooled.whole()).toString()).toBe(head + body)
    await spooled.discard()
  })

  it('stays in memory up to the limit and then in an unlinked file with mode 0600', async () => {
    const inMemory = await taken(head.padEnd(64, 'x'))
    expect(openFiles()).toEqual([])
    const inFile = await taken(`${head.padEnd(63, 'x')}\r\n`)
    expect(openFiles()).toEqual([{ path: expect.stringMatching(/ \(deleted\)$/), mode: 0o600 }])
    expect(readdirSync(folder)).toEqual([])
    await Promise.all([inMemory.discard(), inFile.discard()])
    expect(openFiles()).toEqual([])
  })

  it('cannot be read after it is discarded, and can be discarded twice', async () => {
    for (const body of ['', 'line\r\n'.repeat(100)]) {
      const spooled = await taken(head + body)
      await spooled.discard()
      await spooled.discard()
      await expect(buffer(spooled.read())).rejects.toThrow('discarded')
    }
  })

  it.each([
    ['From: a@b.example\r\n', 'From: a@b.example\r\n\r\n', ''],
    ['From: a@b.example', 'From: a@b.example\r\n\r\n', ''],
    ['\r\nbody\r\n', '\r\n', 'body\r\n'],
    ['\r\n', '\r\n', ''],
    ['', '\r\n', ''],
    ['a: b\r\n\r\n', 'a: b\r\n\r\n', ''],
    ['a: b\r\n\r\n\r\n', 'a: b\r\n\r\n', '\r\n'],
  ])('splits %j into the header block %j and the body %j', async (message, itsHead, body) => {
    const spooled = await taken(message)
    expect(spooled.head.toString()).toBe(itsHead)
    expect((await buffer(spooled.body())).toString()).toBe(body)
    expect((await spooled.whole()).toString()).toBe(message)
  })

  it('reports non-ASCII text in the header block and in the body', async () => {
    expect(await taken('Subject: Grüße\r\n\r\nplain\r\n')).toMatchObject({ utf8Head: true, eightBit: false })
    expect(await taken('Subject: x\r\n\r\nGrüße\r\n')).toMatchObject({ utf8Head: false, eightBit: true })
  })
})

describe('a rejected message', () => {
  const kindOf = async (message: string, limits = small) => (await take(message, limits)).kind

  it.each([
    ['a\n', 'bare_newline'],
    ['\n', 'bare_newline'],
    ['a: b\r\n\r\nx\ry\r\n', 'bare_newline'],
    ['a: b\r\n\r\nx\r', 'bare_newline'],
    ['a: b\r\n\r\nx\r\r\n', 'bare_newline'],
    ['a: b\r\n\r\nx\n\r\n', 'bare_newline'],
    ['a: b\r\n\r\nx\n.\r\ny\r\n', 'bare_newline'],
    ['a: b\0\r\n\r\n', 'nul'],
    ['a: b\r\n\r\n\0', 'nul'],
    [`a: ${'b'.repeat(62)}\r\n\r\n`, 'head_too_large'],
    [`a: ${'b'.repeat(100)}`, 'head_too_large'],
    [`a: ${'b'.repeat(57)}\r\n\r\n`, 'spooled'],
    [`a: ${'b'.repeat(58)}\r\n\r\n`, 'head_too_large'],
    [`a: b\r\n\r\n${'x'.repeat(992)}`, 'spooled'],
    [`a: b\r\n\r\n${'x'.repeat(993)}`, 'too_large'],
  ])('gets for %j the result %s', async (message, kind) => expect(await kindOf(message)).toBe(kind))

  it('leaves no file open and reads its source to the end', async () => {
    let asked = 0
    const source = Readable.from(
      (function* () {
        for (; asked < 50; asked++) yield Buffer.from(`a: b\r\n\r\n${'x'.repeat(90)}\r\n`)
      })(),
    )
    expect(await spool(source, small)).toEqual({ kind: 'too_large' })
    expect(asked).toBe(50)
    expect(openFiles()).toEqual([])
  })

  it.each([
    ['for a small message at its end', 100, 1, 'no_room'],
    ['for a message of 16 KiB at its end', 16_384, 1, 'no_room'],
    ['for a large message before its end', 200_000, 1, 'no_room'],
    ['a message over the size limit is still too large', 400_000, 1, 'too_large'],
    ['never for a malformed message', -100, 0, 'bare_newline'],
  ])('requests a slot at most once, when none is free: %s', async (_, size, times, kind) => {
    const limits = { ...spoolSizes, total: 300_000, folder }
    const enter = vi.fn(() => false)
    const head = size < 0 ? 'a: b\n' : 'a: b\r\n\r\n'
    const message = Buffer.from(head + 'x'.repeat(Math.abs(size) - head.length))
    expect(await spool(Readable.from(inPieces(message)), limits, enter)).toEqual({ kind })
    expect(enter).toHaveBeenCalledTimes(times)
    expect(openFiles()).toEqual([])
  })

  it('requests a slot after the first 16 KiB', async () => {
    const read: number[] = []
    const source = function* () {
      for (const piece of inPieces(Buffer.from(`a: b\r\n\r\n${'x'.repeat(30_000)}`))) {
        read.push(piece.length)
        yield piece
      }
    }
    const askedAfter: number[] = []
    const enter = () => askedAfter.push(read.reduce((sum, length) => sum + length, 0)) > 0
    const spooled = await spool(Readable.from(source(), { highWaterMark: 1 }), { ...spoolSizes, folder }, enter)
    if (spooled.kind === 'spooled') kept.push(spooled)
    expect(spooled).toMatchObject({ kind: 'spooled', size: 30_008 })
    expect(askedAfter).toEqual([expect.toSatisfy((bytes) => bytes > 16_384 && bytes < 20_000)])
  })

  it('is given up when it arrives in tiny pieces', async () => {
    let asked = 0
    const source = Readable.from(
      (function* () {
        for (; asked < 500; asked++) yield Buffer.from('.')
      })(),
      { highWaterMark: 1 },
    )
    expect(await spool(source, small)).toEqual({ kind: 'too_many_pieces' })
    expect(asked).toBeLessThan(110)
    expect(source.destroyed).toBe(true)
    expect(openFiles()).toEqual([])
  })

  it('follows the standard limits: 25 MiB, and 256 KiB for the header block', async () => {
    const limits = { ...spoolSizes, folder }
    const filled = (bytes: number) => Buffer.concat([Buffer.from('a: b\r\n\r\n'), Buffer.alloc(bytes - 8, 'x')])
    const fits = await taken(filled(25 * 1024 * 1024), limits)
    expect(sha256(await buffer(fits.body()))).toBe(fits.bodySha256)
    await fits.discard()
    expect((await take(filled(25 * 1024 * 1024 + 1), limits)).kind).toBe('too_large')
    expect(await kindOf(`a: ${'b'.repeat(256 * 1024 - 6)}\r\n\r\n`, limits)).toBe('head_too_large')
    expect(openFiles()).toEqual([])
  })
})

describe('reading a message', () => {
  it('rejects and leaves no file when the source fails', async () => {
    const source = Readable.from(
      (function* () {
        yield Buffer.from(`a: b\r\n\r\n${'x'.repeat(200)}`)
        throw new Error('the client is gone')
      })(),
    )
    await expect(spool(source, small)).rejects.toThrow('the client is gone')
    expect(openFiles()).toEqual([])
  })

  it('rejects a failure of the disk after the source is read to the end', async () => {
    let asked = 0
    const source = Readable.from(
      (function* () {
        for (; asked < 5; asked++) yield Buffer.from(`a: b\r\n\r\n${'x'.repeat(90)}\r\n`)
      })(),
    )
    await expect(spool(source, { ...small, folder: join(folder, 'away') })).rejects.toThrow('ENOENT')
    expect(asked).toBe(5)
  })
})

it('gives the same result for any chunk boundaries', async () => {
  const pieces = fc.constantFrom('\r\n', '\r', '\n', 'a: b', '\r\n\r\n', 'é', '\0', '.', 'x'.repeat(30), ' ', '\t')
  const weighted = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom('\r\n', 'a: b', '\r\n\r\n', 'é', 'x'.repeat(30)) },
    pieces,
  )
  const cuts = fc.array(fc.nat(400), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(fc.array(weighted, { maxLength: 30 }), cuts, async (parts, places) => {
      const message = Buffer.from(parts.join(''))
      const edges = [0, ...places.filter((at) => at < message.length).sort((a, b) => a - b), message.length]
      const chunks = edges.slice(1).map((end, at) => message.subarray(edges[at], end))
      const limits = { ...small, total: 400 }
      const [whole, cut] = await Promise.all([take(message, limits), spool(Readable.from(chunks), limits)])
      expect(JSON.stringify(cut)).toBe(JSON.stringify(whole))
      if (cut.kind === 'spooled') expect((await cut.whole()).equals(message)).toBe(true)
      for (const one of [whole, cut]) if (one.kind === 'spooled') await one.discard()
    }),
    { numRuns: 1000 },
  )
})
