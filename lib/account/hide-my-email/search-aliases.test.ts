import { describe, expect, it } from 'vitest'
import { readSearch, searchAliases } from './search-aliases.ts'
import type { OwnAlias } from './store.ts'

const named = (name: string, words: Partial<OwnAlias>): OwnAlias => ({
  name,
  byHand: false,
  app: { id: name, name: 'Acme Web', names: {}, team: 'Acme', logoFile: undefined, disabled: false },
  emailChoice: 'hidden',
  label: '',
  note: '',
  since: new Date(0),
  disabledAt: undefined,
  forwarded: 0,
  blocked: 0,
  replied: 0,
  lastMailAt: undefined,
  ...words,
})

describe('the search of relay addresses', () => {
  const aliases = [named('k7mqp', {}), named('zgone', { app: undefined, label: 'Ｓhop', note: '100% (sale)' })]
  const find = (search: string) =>
    searchAliases(aliases, search, (name) => `${name}@relay.example`).map(({ name }) => name)

  it.each([
    ['acme', ['k7mqp']],
    ['SHOP', ['zgone']],
    ['K7MQP@relay', ['k7mqp']],
    ['100%', ['zgone']],
    ['(', ['zgone']],
    ['.*', []],
    ['', ['k7mqp', 'zgone']],
  ])('finds %j in label, note, app or address', (search, found) => {
    expect(find(search)).toEqual(found)
  })

  it('reads an absent, repeated, broken or huge parameter', () => {
    expect(readSearch(undefined)).toBe('')
    expect(readSearch([' a ', 'b'])).toBe('a')
    expect(readSearch('\ud800')).toBe('\ufffd')
    expect(readSearch('x'.repeat(5000))).toHaveLength(100)
  })
})
