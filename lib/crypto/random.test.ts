import { expect, it } from 'vitest'
import { makeOrderedId, random } from './random.ts'

it('returns values of the asked length that never repeat and share no memory', () => {
  const values = Array.from({ length: 5_000 }, (_, at) => random([16, 32, 9, 64][at % 4] as number))
  expect(values.map(({ length }) => length).slice(0, 4)).toEqual([16, 32, 9, 64])
  const before = values.map((value) => value.toString('hex'))
  expect(new Set(before).size).toBe(values.length)
  random(64)
  expect(values.map((value) => value.toString('hex'))).toEqual(before)
  values[0]?.fill(0)
  expect(values[1]?.toString('hex')).toBe(before[1])
})

it('returns no bytes that are zero because they were taken before', () => {
  const zeros = Array.from({ length: 2_000 }, () => random(32)).filter((value) =>
    value.subarray(0, 8).every((b) => b === 0),
  )
  expect(zeros).toEqual([])
})

it('returns large values, and none', () => {
  expect(random(100_000).every((byte) => byte === 0)).toBe(false)
  expect(random(0)).toHaveLength(0)
})

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
