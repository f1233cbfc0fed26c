import { expect, it } from 'vitest'
import { lastUse } from './last-use.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute))

it('a credential was not used before it was made, although a use is stored as its hour', () => {
  expect(lastUse({ createdAt: at(20), lastUsedAt: at(0) })).toEqual(at(20))
  expect(lastUse({ createdAt: at(20), lastUsedAt: at(60) })).toEqual(at(60))
  expect(lastUse({ createdAt: at(20), lastUsedAt: null })).toBeUndefined()
})
