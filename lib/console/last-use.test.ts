import { expect, it } from 'vitest'
import { lastUse } from './last-use.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute))

it('returns the creation time for a use in the hour of the creation', () => {
  expect(lastUse({ createdAt: at(20), lastUsedAt: at(0) })).toEqual(at(20))
  expect(lastUse({ createdAt: at(20), lastUsedAt: at(60) })).toEqual(at(60))
  expect(lastUse({ createdAt: at(20), lastUsedAt: null })).toBeUndefined()
})
