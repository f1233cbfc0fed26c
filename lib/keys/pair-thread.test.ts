import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { compactVerify } from 'jose'
import { expect, it, onTestFinished } from 'vitest'
import { openPairThread, type PairThread } from './pair-thread.ts'
import { encodeText, signPair } from './token-pair.ts'

const encode = (value: unknown) => encodeText(JSON.stringify(value))
const unsigned = (number: number, more: object = {}) => ({
  access: `${encode({ alg: 'ES256', typ: 'at+jwt' })}.${encode({ jti: `token ${number}` })}`,
  idHeader: encode({ alg: 'ES256', typ: 'JWT' }),
  idClaims: JSON.stringify({ sub: `person ${number}`, ...more }),
})

/** A thread with a key, and the pairs that this thread has signed itself. */
function setUp(rest?: number) {
  const here: unknown[] = []
  const pairs = openPairThread((pair, key) => {
    here.push(pair)
    return signPair(pair, key)
  }, rest)
  onTestFinished(() => pairs.close())
  return { pairs, here, key: generateKeyPairSync('ec', { namedCurve: 'P-256' }) }
}

/** Begins pairs until the thread has signed one. */
async function waitForThread(pairs: PairThread, here: unknown[], kid: string, key: KeyObject) {
  for (;;) {
    const end = pairs.begin(unsigned(0), kid, key)
    await sleep(20)
    const before = here.length
    end()
    if (here.length === before) break
  }
  here.length = 0
}

/** Reads both tokens, checks their signatures, and returns the claims of the ID token. */
async function read(tokens: { access: string; id: string }, publicKey: KeyObject) {
  const access = await compactVerify(tokens.access, publicKey)
  const id = await compactVerify(tokens.id, publicKey)
  const [{ jti }, claims] = [access, id].map(({ payload }) => JSON.parse(Buffer.from(payload).toString()))
  const hash = createHash('sha256').update(tokens.access).digest().subarray(0, 16).toString('base64url')
  expect(claims.at_hash).toBe(hash)
  return { ...claims, jti }
}

it('signs in its thread what is begun there, also beyond ASCII, and the caller signs the rest', async () => {
  const { pairs, here, key } = setUp()
  const first = pairs.begin(unsigned(1), 'kid', key.privateKey)()
  expect(await read(first, key.publicKey)).toMatchObject({ sub: 'person 1', jti: 'token 1' })
  // The thread was still starting.
  expect(here).toHaveLength(1)
  await waitForThread(pairs, here, 'kid', key.privateKey)
  const end = pairs.begin(unsigned(2, { name: 'Zoë 山田\n"\\' }), 'kid', key.privateKey)
  await sleep(50)
  expect(await read(end(), key.publicKey)).toMatchObject({ sub: 'person 2', jti: 'token 2', name: 'Zoë 山田\n"\\' })
  expect(here).toEqual([])
})

it('answers 200 pairs at once, more than the ring has places, each with its own tokens, and no pair twice', async () => {
  const { pairs, here, key } = setUp()
  await waitForThread(pairs, here, 'kid', key.privateKey)
  for (let round = 0; round < 5; round++) {
    const ends = Array.from({ length: 200 }, (_, number) => pairs.begin(unsigned(number), 'kid', key.privateKey))
    const subjects = await Promise.all(ends.map(async (end) => read(end(), key.publicKey)))
    expect(subjects.map(({ sub, jti }) => [sub, jti])).toEqual(
      ends.map((_, number) => [`person ${number}`, `token ${number}`]),
    )
  }
  expect(here.length).toBeGreaterThan(0)
  expect(here.length).toBeLessThan(1000)
})

it('is not blocked by pairs that nobody takes, and signs a pair whose place went to another', async () => {
  const { pairs, here, key } = setUp()
  await waitForThread(pairs, here, 'kid', key.privateKey)
  const old = pairs.begin(unsigned(7), 'kid', key.privateKey)
  for (let left = 0; left < 1000; left++) {
    pairs.begin(unsigned(left), 'kid', key.privateKey)
    if (left % 50 === 0) await sleep(5)
  }
  await sleep(50)
  here.length = 0
  expect(await read(old(), key.publicKey)).toMatchObject({ sub: 'person 7' })
  expect(here).toHaveLength(1)
  await waitForThread(pairs, here, 'kid', key.privateKey)
})

it('signs a pair that is too large for a place', async () => {
  const { pairs, here, key } = setUp()
  await waitForThread(pairs, here, 'kid', key.privateKey)
  const end = pairs.begin(unsigned(3, { name: 'x'.repeat(20_000) }), 'kid', key.privateKey)
  await sleep(50)
  expect((await read(end(), key.publicKey)).name).toHaveLength(20_000)
  expect(here).toHaveLength(1)
})

it('uses a new key from the first pair on, and takes pairs of the earlier one', async () => {
  const { pairs, here, key } = setUp()
  await waitForThread(pairs, here, 'first', key.privateKey)
  const earlier = pairs.begin(unsigned(1), 'first', key.privateKey)
  const next = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const later = pairs.begin(unsigned(2), 'second', next.privateKey)
  expect(await read(later(), next.publicKey)).toMatchObject({ sub: 'person 2' })
  expect(await read(earlier(), key.publicKey)).toMatchObject({ sub: 'person 1' })
  await waitForThread(pairs, here, 'second', next.privateKey)
})

it('signs what a closed thread has begun, and starts another one', async () => {
  const { pairs, here, key } = setUp()
  await waitForThread(pairs, here, 'kid', key.privateKey)
  const begun = Array.from({ length: 10 }, (_, number) => pairs.begin(unsigned(number), 'kid', key.privateKey))
  await pairs.close()
  for (const [number, end] of begun.entries())
    expect(await read(end(), key.publicKey)).toMatchObject({ sub: `person ${number}` })
  await waitForThread(pairs, here, 'kid', key.privateKey)
})

it.each([
  ['stays without a thread for a while', 60_000],
  ['starts another one after a while', 0],
])('signs what a thread that died has begun, and %s', async (_, rest) => {
  const { pairs, here, key } = setUp(rest)
  // A public key cannot sign, which ends the thread.
  for (let tries = 0; tries < 2; tries++) {
    pairs.begin(unsigned(0), 'kid', key.publicKey)
    await sleep(200)
  }
  for (let number = 0; number < 5; number++)
    expect(await read(pairs.begin(unsigned(number), 'kid', key.privateKey)(), key.publicKey)).toMatchObject({
      sub: `person ${number}`,
    })
  expect(here).toHaveLength(5)
  if (rest === 0) return waitForThread(pairs, here, 'kid', key.privateKey)
  const end = pairs.begin(unsigned(6), 'kid', key.privateKey)
  await sleep(200)
  expect(await read(end(), key.publicKey)).toMatchObject({ sub: 'person 6' })
  expect(here).toHaveLength(6)
})
