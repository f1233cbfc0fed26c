import { expect, it } from 'vitest'
import { makeTrouble } from './trouble.ts'

const fault = (code: string) => Object.assign(new Error(code), { code })

it('reports a refused write for ten seconds', () => {
  let now = 1000
  const trouble = makeTrouble(() => now)
  expect(trouble.refusesWrites()).toBe(false)
  trouble.note(fault('ECONNREFUSED'))
  expect(trouble.refusesWrites()).toBe(false)
  trouble.note(fault('SQLITE_FULL'))
  now += 9_999
  expect(trouble.refusesWrites()).toBe(true)
  now += 1
  expect(trouble.refusesWrites()).toBe(false)
})

it.each(['25006', 'EROFS', 'SQLITE_READONLY'])('forgets at once a database that refuses every write: %s', (code) => {
  const trouble = makeTrouble()
  trouble.note(fault(code))
  expect(trouble.refusesWrites()).toBe(false)
})

it('reports whether a statement has failed since a moment, and rethrows each error', async () => {
  let now = 1000
  const trouble = makeTrouble(() => now)
  await expect(trouble.watch(() => Promise.reject(fault('P2002')))).rejects.toThrow('P2002')
  expect(trouble.since(0)).toBe(false)
  await expect(trouble.watch(() => Promise.reject(fault('57P01')))).rejects.toThrow('57P01')
  expect([trouble.since(1000), trouble.since(1001)]).toEqual([true, false])
  now = 2000
  expect(await trouble.watch(async () => 'fine')).toBe('fine')
  expect(trouble.since(1500)).toBe(false)
})
