import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { compactVerify } from 'jose'
import { expect, it, onTestFinished } from 'vitest'
import { startedThreads } from '#lib/testing/process/started-threads'
import { slots } from './signing-ring.ts'
import { openSigningThread } from './signing-thread.ts'
import { encodeText, signPair, type TokenPair, type UnsignedPair } from './token-pair.ts'

const encode = (value: unknown) => encodeText(JSON.stringify(value))
const unsigned = (number: number, more: object = {}) => ({
  access: `${encode({ alg: 'ES256', typ: 'at+jwt' })}.${encode({ jti: `token ${number}` })}`,
  idHeader: encode({ alg: 'ES256', typ: 'JWT' }),
  idClaims: JSON.stringify({ sub: `person ${number}`, ...more }),
})

/** A signing thread with a key, the pairs that the calling thread signed itself, and the faults that ended the thread. */
function setUp(delays: { restartDelay?: number; restDelay?: number } = {}) {
  const here: UnsignedPair[] = []
  const faults: unknown[] = []
  const thread = openSigningThread({
    onEnd: (fault) => faults.push(fault),
    signHere: (pair, key) => {
      here.push(pair)
      return signPair(pair, key)
    },
    ...delays,
  })
  onTestFinished(() => thread.close())
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const begin = (pair: UnsignedPair, key = privateKey, kid = 'kid') => thread.begin(pair, kid, key)
  /** Begins the pair again and again until the thread signs it. */
  const signThere = async (pair: UnsignedPair, key = privateKey, kid = 'kid'): Promise<TokenPair> => {
    let tokens: TokenPair | undefined
    let collect = begin(pair, key, kid)
    const isSignedThere = () => {
      const before = here.length
      tokens = collect()
      collect = begin(pair, key, kid)
      return here.length === before
    }
    await expect.poll(isSignedThere, { timeout: 20_000, interval: 10 }).toBe(true)
    return tokens as TokenPair
  }
  return { thread, here, faults, begin, signThere, privateKey, publicKey }
}

/** Reads both tokens, checks their signatures, and returns the claims of the ID token. */
async function read(tokens: TokenPair, publicKey: KeyObject) {
  const access = await compactVerify(tokens.access, publicKey)
  const id = await compactVerify(tokens.id, publicKey)
  const [{ jti }, claims] = [access, id].map(({ payload }) => JSON.parse(Buffer.from(payload).toString()))
  const hash = createHash('sha256').update(tokens.access).digest().subarray(0, 16).toString('base64url')
  expect(claims.at_hash).toBe(hash)
  return { ...claims, jti }
}

it('signs in the thread, also beyond ASCII, and in the caller while the thread starts', async () => {
  const { begin, signThere, here, publicKey } = setUp()
  expect(await read(begin(unsigned(1))(), publicKey)).toMatchObject({ sub: 'person 1', jti: 'token 1' })
  expect(here).toEqual([unsigned(1)])
  const odd = { name: 'Zoë 山田\n"\\' }
  expect(await read(await signThere(unsigned(2, odd)), publicKey)).toMatchObject({
    sub: 'person 2',
    jti: 'token 2',
    ...odd,
  })
})

it('returns to each caller the tokens of its own pair, for 8, 200 and more pairs than slots', async () => {
  const { begin, signThere, publicKey } = setUp()
  await signThere(unsigned(0))
  for (const count of [8, 200, 2 * slots]) {
    const begun = Array.from({ length: count }, (_, number) => begin(unsigned(number)))
    const claims = await Promise.all(begun.map((collect) => read(collect(), publicKey)))
    expect(claims.map(({ sub, jti }) => [sub, jti])).toEqual(
      begun.map((_, number) => [`person ${number}`, `token ${number}`]),
    )
  }
})

it('signs an overwritten pair in the caller, and later pairs in the thread', async () => {
  const { begin, signThere, here, publicKey } = setUp()
  await signThere(unsigned(0))
  const old = begin(unsigned(7))
  // A pair that the thread is signing is not overwritten. The thread signs a later pair only after this one.
  await signThere(unsigned(1))
  for (let dropped = 0; dropped < 3 * slots; dropped++) begin(unsigned(dropped))
  here.length = 0
  expect(await read(old(), publicKey)).toMatchObject({ sub: 'person 7' })
  expect(here).toEqual([unsigned(7)])
  await signThere(unsigned(0))
})

it('signs a pair that is too large for a slot in the caller', async () => {
  const { begin, signThere, here, publicKey } = setUp()
  await signThere(unsigned(0))
  here.length = 0
  const large = unsigned(3, { name: 'x'.repeat(20_000) })
  expect((await read(begin(large)(), publicKey)).name).toHaveLength(20_000)
  expect(here).toEqual([large])
})

it('uses a new key from the first pair on, and the earlier key for the pairs before', async () => {
  const { begin, signThere, publicKey } = setUp()
  await signThere(unsigned(0))
  const earlier = begin(unsigned(1))
  const next = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const later = begin(unsigned(2), next.privateKey, 'next')
  expect(await read(later(), next.publicKey)).toMatchObject({ sub: 'person 2' })
  expect(await read(earlier(), publicKey)).toMatchObject({ sub: 'person 1' })
  expect(await read(await signThere(unsigned(3), next.privateKey, 'next'), next.publicKey)).toMatchObject({
    sub: 'person 3',
  })
})

it('signs the pending pairs of a closed thread, and starts another thread', async () => {
  const { thread, begin, signThere, faults, publicKey } = setUp()
  await signThere(unsigned(0))
  const begun = Array.from({ length: 10 }, (_, number) => begin(unsigned(number)))
  await thread.close()
  for (const [number, collect] of begun.entries())
    expect(await read(collect(), publicKey)).toMatchObject({ sub: `person ${number}` })
  await signThere(unsigned(0))
  expect(faults).toEqual([])
})

it('ends a thread without work, without a fault, and signs in the caller until another one has started', async () => {
  const { begin, signThere, here, faults, publicKey } = setUp({ restDelay: 200 })
  const threads = startedThreads()
  for (let rest = 0; rest < 3; rest++) {
    await signThere(unsigned(rest))
    const uncollected = begin(unsigned(7))
    const thread = threads.at(-1) as Worker
    if (thread.threadId > 0) await once(thread, 'exit')
    here.length = 0
    const signed = [uncollected(), begin(unsigned(8))()]
    for (const [number, tokens] of signed.entries())
      expect(await read(tokens, publicKey)).toMatchObject({ sub: `person ${7 + number}` })
    expect(here).toEqual([unsigned(7), unsigned(8)])
  }
  expect(threads.length).toBeGreaterThanOrEqual(3)
  expect(faults).toEqual([])
})

it('signs in the caller and reports one error if no thread can start', async () => {
  const { begin, here, faults, publicKey } = setUp()
  // A function cannot be handed to a thread. The second pair starts the thread.
  for (const number of [0, 0]) begin(unsigned(number), (() => undefined) as unknown as KeyObject)
  for (const number of [1, 2])
    expect(await read(begin(unsigned(number))(), publicKey)).toMatchObject({ sub: `person ${number}` })
  expect(here).toEqual([unsigned(1), unsigned(2)])
  expect(faults).toEqual([expect.objectContaining({ name: 'DataCloneError' })])
})

it('reports a thread that ended without an error, and signs in the caller', async () => {
  const { begin, signThere, here, faults, publicKey } = setUp()
  const started = once(process, 'worker')
  await signThere(unsigned(0))
  const [worker] = (await started) as [Worker]
  await worker.terminate()
  expect(faults).toEqual([expect.objectContaining({ message: expect.stringContaining('without an error') })])
  here.length = 0
  expect(await read(begin(unsigned(1))(), publicKey)).toMatchObject({ sub: 'person 1' })
  expect(here).toEqual([unsigned(1)])
})

it('does not replace a failed thread before the delay, also after a rest', async () => {
  const { begin, here, faults, publicKey } = setUp({ restDelay: 20 })
  const fail = () => {
    begin(unsigned(0), publicKey)
    return faults.length
  }
  await expect.poll(fail, { timeout: 20_000, interval: 5 }).toBe(1)
  let threads = 0
  const count = () => threads++
  process.on('worker', count)
  onTestFinished(() => void process.off('worker', count))
  here.length = 0
  for (let number = 0; number < 4; number++) {
    await sleep(number < 2 ? 100 : 0)
    expect(await read(begin(unsigned(number))(), publicKey)).toMatchObject({ sub: `person ${number}` })
  }
  expect([here.length, threads, faults.length]).toEqual([4, 0, 1])
})

it('signs the pairs of a failed thread in the caller, and replaces the thread after the delay', async () => {
  const [dying, delayed] = [setUp({ restartDelay: 0 }), setUp()]
  // A public key cannot sign, which ends the thread.
  const untilEnded = ({ begin, faults, publicKey }: typeof dying, times: number) => {
    const beginAgain = () => {
      begin(unsigned(0), publicKey)
      return faults.length
    }
    return expect.poll(beginAgain, { timeout: 20_000, interval: 10 }).toBe(times)
  }
  await untilEnded(delayed, 1)
  await untilEnded(dying, 3)
  expect(delayed.faults).toHaveLength(1)
  const { begin, here, publicKey } = delayed
  here.length = 0
  for (let number = 0; number < 5; number++)
    expect(await read(begin(unsigned(number))(), publicKey)).toMatchObject({ sub: `person ${number}` })
  expect(here).toHaveLength(5)
  await dying.signThere(unsigned(6))
})
