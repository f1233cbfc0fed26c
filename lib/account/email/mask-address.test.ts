import { expect, it } from 'vitest'
import { maskAddress } from './mask-address.ts'

it.each([
  ['ada@example.org', 'a•••@e•••.org'],
  ['a@b.co.jp', 'a•••@b•••.jp'],
  ['"a@b"@example.org', '"•••@e•••.org'],
  ['𝒶da@例え.テスト', '𝒶•••@例•••.テスト'],
  ['root@localhost', 'r•••@l•••'],
])('masks %s as %s', (address, masked) => {
  expect(maskAddress(address)).toBe(masked)
})
