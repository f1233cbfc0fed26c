import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  coversScopes,
  expandBundle,
  formatScope,
  holdsScope,
  knownScopes,
  parseScope,
  profileScopes,
  scopesWithin,
  withoutDeclined,
} from './scope.ts'

const check = <T>(values: fc.Arbitrary<T>, rule: (value: T) => void) =>
  fc.assert(fc.property(values, rule), { numRuns: 500 })

describe('scopes', () => {
  const scopes = fc.uniqueArray(fc.constantFrom(...knownScopes))
  const all = (list: readonly string[]) => new Set(knownScopes.filter((scope) => holdsScope(list, scope)))
  const within = (small: Set<string>, large: Set<string>) => [...small].every((scope) => large.has(scope))

  test('survive being written and read', () => {
    check(scopes, (list) => {
      expect(parseScope(formatScope(list))).toEqual(list)
      expect(parseScope(` ${list.join('  ')} ${list.join(' ')} `)).toEqual(list)
    })
  })

  test('that were declined are never granted, also not by the bundle, and nothing is added', () => {
    check(fc.tuple(scopes, scopes), ([wanted, declined]) => {
      const granted = withoutDeclined(expandBundle(wanted), new Set(declined))
      for (const scope of declined) expect(holdsScope(granted, scope)).toBe(false)
      expect(within(all(granted), all(wanted))).toBe(true)
    })
  })

  test('that were not declined are all granted', () => {
    check(fc.tuple(scopes, scopes), ([wanted, declined]) => {
      const granted = withoutDeclined(expandBundle(wanted), new Set(declined))
      const kept = expandBundle(wanted).filter((scope) => scope !== 'profile' && !declined.includes(scope))
      expect(granted.filter((scope) => scope !== 'profile')).toEqual(kept)
    })
  })

  test('include the bundle only when it was wanted and all nine were', () => {
    check(fc.tuple(scopes, scopes), ([wanted, declined]) => {
      const granted = withoutDeclined(expandBundle(wanted), new Set(declined))
      const nine = profileScopes.every((scope) => granted.includes(scope))
      expect(granted.includes('profile')).toBe(wanted.includes('profile') && nine && !declined.includes('profile'))
    })
  })

  test('within a limit are exactly those that both hold', () => {
    check(fc.tuple(scopes, scopes), ([granted, limit]) => {
      const left = all(scopesWithin(granted, limit))
      const both = knownScopes.filter((scope) => all(granted).has(scope) && all(limit).has(scope))
      expect(left).toEqual(new Set(both))
    })
  })

  test('expanding the bundle changes nothing that is held, and once is enough', () => {
    check(scopes, (list) => {
      expect(all(expandBundle(list))).toEqual(all(list))
      expect(expandBundle(expandBundle(list))).toEqual(expandBundle(list))
    })
  })

  test('cover more when more is granted and less is asked, and always themselves', () => {
    check(fc.tuple(scopes, scopes, scopes), ([granted, asked, more]) => {
      expect(coversScopes(granted, granted)).toBe(true)
      expect(coversScopes(granted, [])).toBe(true)
      if (!coversScopes(granted, asked)) return
      expect(coversScopes([...granted, ...more], asked)).toBe(true)
      expect(coversScopes(granted, asked.slice(1))).toBe(true)
      expect(within(all(asked), all(granted))).toBe(true)
    })
  })
})
