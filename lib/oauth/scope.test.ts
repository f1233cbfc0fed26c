import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
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

  it('parse back as they were formatted', () => {
    check(scopes, (list) => {
      expect(parseScope(formatScope(list))).toEqual(list)
      expect(parseScope(` ${list.join('  ')} ${list.join(' ')} `)).toEqual(list)
    })
  })

  it('are never granted if they were declined, also not by the bundle', () => {
    check(fc.tuple(scopes, scopes), ([wanted, declined]) => {
      const granted = withoutDeclined(expandBundle(wanted), new Set(declined))
      for (const scope of declined) expect(holdsScope(granted, scope)).toBe(false)
      expect(within(all(granted), all(wanted))).toBe(true)
    })
  })

  it('are all granted if they were not declined', () => {
    check(fc.tuple(scopes, scopes), ([wanted, declined]) => {
      const granted = withoutDeclined(expandBundle(wanted), new Set(declined))
      const kept = expandBundle(wanted).filter((scope) => scope !== 'profile' && !declined.includes(scope))
      expect(granted.filter((scope) => scope !== 'profile')).toEqual(kept)
    })
  })

  it('include the bundle only if it was requested and all nine are granted', () => {
    check(fc.tuple(scopes, scopes), ([wanted, declined]) => {
      const granted = withoutDeclined(expandBundle(wanted), new Set(declined))
      const nine = profileScopes.every((scope) => granted.includes(scope))
      expect(granted.includes('profile')).toBe(wanted.includes('profile') && nine && !declined.includes('profile'))
    })
  })

  it('within a limit are those that both have', () => {
    check(fc.tuple(scopes, scopes), ([granted, limit]) => {
      const left = all(scopesWithin(granted, limit))
      const both = knownScopes.filter((scope) => all(granted).has(scope) && all(limit).has(scope))
      expect(left).toEqual(new Set(both))
    })
  })

  it('are the same in effect after the bundle is expanded, once or twice', () => {
    check(scopes, (list) => {
      expect(all(expandBundle(list))).toEqual(all(list))
      expect(expandBundle(expandBundle(list))).toEqual(expandBundle(list))
    })
  })

  it('cover more if more is granted or less is requested, and always themselves', () => {
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
