import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { remember } from './client-cache.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

let loaded: string[] = []

/** Returns a cache whose values have this length as JSON, apart from the key. */
function setUp(limits: { most?: number; characters?: number }, length = 100) {
  loaded = []
  const load = async (key: string) => {
    loaded.push(key)
    return key.startsWith('absent') ? undefined : { text: 'x'.repeat(length) }
  }
  return remember(load, { seconds: 5, most: 1_000, characters: 1_000_000, ...limits })
}

async function askAll(ask: (key: string) => Promise<unknown>, ...keys: string[]) {
  for (const key of keys) await ask(key)
  return loaded.splice(0)
}

it('loads a key once in five seconds', async () => {
  const ask = setUp({})
  expect(await askAll(ask, 'a', 'a', 'b', 'a')).toEqual(['a', 'b'])
  vi.advanceTimersByTime(4_999)
  expect(await askAll(ask, 'a')).toEqual([])
  vi.advanceTimersByTime(1)
  expect(await askAll(ask, 'a', 'a')).toEqual(['a'])
})

it('does not cache that a key is absent', async () => {
  const ask = setUp({})
  expect(await askAll(ask, 'absent', 'absent')).toEqual(['absent', 'absent'])
})

it('holds as many values as its limit, the newest ones', async () => {
  const ask = setUp({ most: 3 })
  await askAll(ask, 'a', 'b', 'c', 'd')
  expect(await askAll(ask, 'b', 'c', 'd')).toEqual([])
  expect(await askAll(ask, 'a')).toEqual(['a'])
})

it('holds as many characters as its limit', async () => {
  const ask = setUp({ characters: 1_000 }, 300)
  await askAll(ask, 'a', 'b', 'c', 'd')
  expect(await askAll(ask, 'b', 'c', 'd')).toEqual([])
  expect(await askAll(ask, 'a')).toEqual(['a'])
})

it('returns a value that is larger than its limit, and keeps the others', async () => {
  loaded = []
  const ask = remember(async (key) => ({ key: loaded.push(key), text: 'x'.repeat(key === 'large' ? 2_000 : 300) }), {
    ...{ seconds: 5, most: 1_000, characters: 1_000 },
  })
  expect(await ask('large')).toMatchObject({ key: 1 })
  expect(await askAll(ask, 'a', 'b', 'large', 'a', 'b')).toEqual(['large', 'a', 'b', 'large'])
})

it('counts a key with half a character once', async () => {
  const ask = setUp({ characters: 1_000 }, 300)
  for (let round = 0; round < 10; round++) await ask('\ud800')
  await askAll(ask, 'b', 'c')
  expect(await askAll(ask, 'b', 'c')).toEqual([])
})

it('counts the characters of values that are replaced, have expired or are loaded by 200 requests at once', async () => {
  const ask = setUp({ characters: 1_000 }, 300)
  for (let round = 0; round < 10; round++) {
    await Promise.all(Array.from({ length: 200 }, () => ask('a')))
    vi.advanceTimersByTime(5_000)
  }
  await askAll(ask, 'b', 'c', 'd')
  expect(await askAll(ask, 'b', 'c', 'd')).toEqual([])
})
