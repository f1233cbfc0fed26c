import { argon2Sync } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { hashPassword } from '#lib/crypto/password-hash'
import { withRequest } from '#lib/queue/current-request'
import { isOverloaded } from '#lib/queue/fair-queue'
import { makeArgon2, openThread } from './derive.ts'
import type { Derivation } from './thread.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
})

function setUp(limits: Parameters<typeof makeArgon2>[0] = {}) {
  const argon2 = makeArgon2({ threads: 1, waiting: 100, patience: 60_000, ...limits })
  open.push(argon2)
  return argon2
}

const cheap: Derivation = {
  message: 'correct horse',
  nonce: Buffer.alloc(16, 7),
  memory: 64,
  passes: 1,
  parallelism: 1,
  tagLength: 32,
}
const impossible: Derivation = { ...cheap, memory: 2 ** 40 }

const outcome = (derivation: Promise<unknown>) =>
  derivation.then(
    () => 'derived',
    (fault) => (isOverloaded(fault) ? 'overloaded' : 'fault'),
  )

describe('argon2 in its own threads', () => {
  it('derives several keys as one job, equal to those of argon2Sync', async () => {
    const other = { ...cheap, message: 'another' }
    expect(await setUp().derive([cheap, other])).toEqual([
      Buffer.from(argon2Sync('argon2id', cheap)),
      Buffer.from(argon2Sync('argon2id', other)),
    ])
  })

  it('never delays a signature behind password hashes', async () => {
    const { privateKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
    let hashed = 0
    const hashes = Array.from({ length: 24 }, () => hashPassword('correct horse').then(() => hashed++))
    await Promise.all(hashes.slice(0, 1))
    await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, Buffer.from('token'))
    // libuv's pool is first come, first served: there, about 20 hashes would be done before the signature.
    expect(hashed).toBeLessThan(16)
    await Promise.all(hashes)
  })

  it('rejects on an error of argon2 and serves the next request', async () => {
    const argon2 = setUp()
    await expect(argon2.derive([impossible])).rejects.toThrow('argon2')
    expect(await outcome(argon2.derive([cheap]))).toBe('derived')
  })

  it('moves the work of a dead thread to another one, once', async () => {
    let opened = 0
    const dying = () => {
      opened++
      return new Worker('require("node:worker_threads").parentPort.on("message", () => process.exit(7))', {
        eval: true,
      })
    }
    const dyingFirst = setUp({ openThread: () => (opened === 0 ? dying() : openThread()) })
    expect(await Promise.all([1, 2].map(() => outcome(dyingFirst.derive([cheap]))))).toEqual(['derived', 'derived'])
    opened = 0
    const always = setUp({ openThread: dying })
    await expect(always.derive([cheap])).rejects.toThrow('ended with 7')
    expect(opened).toBe(2)
  })

  it('ends threads without work, never one that works, and opens others for the next work', async () => {
    const ended: Promise<unknown>[] = []
    const argon2 = setUp({
      threads: 2,
      restDelay: 1,
      openThread() {
        const thread = openThread()
        ended.push(once(thread, 'exit'))
        return thread
      },
    })
    for (let rest = 1; rest <= 3; rest++) {
      const slow = { ...cheap, memory: 8192, passes: 5 }
      const all = Array.from({ length: 8 }, (_, number) => argon2.derive([number % 2 ? slow : cheap]))
      expect(await Promise.all(all.map(outcome))).toEqual(Array(8).fill('derived'))
      await Promise.all(ended)
      expect(ended.length).toBeGreaterThanOrEqual(2 * rest)
    }
  })

  it('refuses work when the queue is full', async () => {
    const argon2 = setUp({ waiting: 1 })
    const all = await Promise.all([1, 2, 3].map(() => outcome(argon2.derive([cheap]))))
    expect(all).toEqual(['derived', 'derived', 'overloaded'])
  })

  it('serves networks in turns', async () => {
    const argon2 = setUp()
    const order: string[] = []
    const from = (address: string) => {
      const request = { id: 'r', address, abandoned: () => AbortSignal.any([]) }
      return withRequest(request, () => argon2.derive([cheap])).then(() => order.push(address))
    }
    await Promise.all([...Array.from({ length: 10 }, () => from('192.0.2.1')), from('198.51.100.9')])
    expect(order.indexOf('198.51.100.9')).toBe(2)
  })

  it('lets a known browser wait with its network when the places of known browsers are full', async () => {
    const argon2 = setUp({ waiting: 1, kept: 1 })
    const from = (address: string, knownAccount?: string) => ({
      id: 'r',
      address,
      abandoned: () => AbortSignal.any([]),
      ...(knownAccount === undefined ? {} : { knownAccount }),
    })
    const derive = (request: ReturnType<typeof from>) => outcome(withRequest(request, () => argon2.derive([cheap])))
    const attacker = ['one', 'two'].map((account) => derive(from('192.0.2.1', account)))
    const owner = derive(from('198.51.100.9', 'ada'))
    const late = from('203.0.113.7', 'bob')
    expect(() => withRequest(late, argon2.expectPlace)).toThrow('full')
    const refused = derive(late)
    expect(await Promise.all([...attacker, owner, refused])).toEqual(['derived', 'derived', 'derived', 'overloaded'])
  })

  it('drops the work of a disconnected client', async () => {
    const argon2 = setUp()
    const gone = new AbortController()
    const first = argon2.derive([cheap])
    const request = { id: 'r', address: '192.0.2.1', abandoned: () => gone.signal }
    const second = outcome(withRequest(request, () => argon2.derive([cheap])))
    gone.abort()
    expect([await second, await outcome(first)]).toEqual(['overloaded', 'derived'])
  })
})
