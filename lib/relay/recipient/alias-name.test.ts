import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeAliasName } from './local-part.ts'

describe('the name of an alias', () => {
  const names = Array.from({ length: 5000 }, () => makeAliasName(randomBytes))

  it('consists of a letter and eleven lower-case characters that do not look alike', () => {
    expect(names.filter((name) => !/^[a-hjkmnp-z][2-9a-hjkmnp-z]{11}$/.test(name))).toEqual([])
  })

  it('is unique', () => {
    expect(new Set(names).size).toBe(names.length)
  })

  it('uses every character about equally often, in the first and in later positions', () => {
    const shares = (texts: string[]) => {
      const all = texts.join('')
      return [...new Set(all)].map((one) => ((all.split(one).length - 1) * new Set(all).size) / all.length)
    }
    const first = shares(names.map((name) => name.slice(0, 1)))
    const later = shares(names.map((name) => name.slice(1)))
    expect([first.length, later.length]).toEqual([23, 31])
    // Five standard deviations of a uniform draw; the bias of a plain remainder would be seven times larger.
    for (const share of first) expect(Math.abs(share - 1)).toBeLessThan(0.34)
    for (const share of later) expect(Math.abs(share - 1)).toBeLessThan(0.12)
  })

  it('discards bytes that would favor the first characters', () => {
    let given = 0
    const bytes = [...Array<number>(30).fill(255), ...Array<number>(30).fill(0)]
    const random = (count: number) => Uint8Array.from({ length: count }, () => bytes[given++ % bytes.length] as number)
    expect(makeAliasName(random)).toBe('a22222222222')
    expect(given).toBeGreaterThan(42)
  })
})
