import { expect, it } from 'vitest'
import { makeOrderedId } from './ordered-id.ts'
import { random } from './random.ts'

it('sorts ids by the time at which they were made', () => {
  const times = [0, 1, 63, 64, 4095, 4096, Date.UTC(2026, 10, 24), Date.UTC(2026, 10, 24) + 1, Date.UTC(9999, 0)]
  const ids = times.map((time) => makeOrderedId(new Date(time), random))
  expect(ids.toSorted()).toEqual(ids)
})

it('returns different ids of base64url for the same time', () => {
  const now = new Date()
  const ids = Array.from({ length: 1000 }, () => makeOrderedId(now, random))
  expect(new Set(ids).size).toBe(1000)
  for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{22}$/)
})
