import { expect, it } from 'vitest'
import { findAliases } from './find-aliases.ts'
import type { OwnAlias } from './store.ts'

const alias = (name: string, label = '', note = '') =>
  ({ name, label, note, app: { name: 'Acme Shop', team: 'Acme' } }) as OwnAlias

it.each([
  ['', ['k7m', 'p2q']],
  ['acme', ['k7m', 'p2q']],
  ['SHOES', ['k7m']],
  ['ｓｈｏｐ p2', ['p2q']],
  ['shoes hats', []],
])('finds for %j the addresses %j', (search, names) => {
  const aliases = [alias('k7m', 'Shoes'), alias('p2q', '', 'hats')]
  expect(findAliases(aliases, search).map(({ name }) => name)).toEqual(names)
})
