import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  alphabet,
  type Bounced,
  decodeBase31,
  encodeBase31,
  makeAliasName,
  makeBounceToken,
  readBounceToken,
  readLocalPart,
  writeLocalPart,
} from './local-part.ts'

const key = Buffer.alloc(32, 1)
const now = new Date('2026-11-20T12:00:00Z')
const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000)
const about: Bounced = { kind: 'forward', alias: 'abcdefghjkmn' }

const startOfDay = (time: Date) => new Date(Math.floor(time.getTime() / 86_400_000) * 86_400_000)

describe('a bounce token', () => {
  it('decodes to its content for any alias and fits a local part', () => {
    for (let i = 0; i < 300; i++) {
      const bounced: Bounced = { kind: i % 2 ? 'reply' : 'forward', alias: makeAliasName(randomBytes) }
      const token = makeBounceToken(bounced, key, now)
      const part = writeLocalPart({ kind: 'bounce', token })
      expect(readBounceToken(token, [key], now)).toEqual({ ...bounced, day: startOfDay(now) })
      expect(readLocalPart(part.toUpperCase())).toEqual({ kind: 'bounce', token })
      expect(part).toMatch(/^b-[2-9a-z]{42}$/)
    }
  })

  it('is valid for fourteen days and not in the future', () => {
    const token = makeBounceToken(about, key, now)
    const readable = [-2, -1, 0, 1, 13, 14, 15, 400, 65536].filter((days) =>
      readBounceToken(token, [key], inDays(days)),
    )
    expect(readable).toEqual([-1, 0, 1, 13, 14])
  })

  it('is valid with the previous key during a rotation, and with no other', () => {
    const token = makeBounceToken(about, key, now)
    const other = Buffer.alloc(32, 2)
    expect(readBounceToken(token, [other, key], now)).toMatchObject(about)
    expect(readBounceToken(token, [other], now)).toBeUndefined()
    expect(readBounceToken(token, [], now)).toBeUndefined()
  })

  it('does not reveal the alias, and differs for the other kind and the next day', () => {
    const tokens = [
      makeBounceToken(about, key, now),
      makeBounceToken({ ...about, kind: 'reply' }, key, now),
      makeBounceToken(about, key, inDays(1)),
    ]
    // The characters that would be the alias if the token were not encrypted.
    const shown = tokens.map((token) => encodeBase31(((decodeBase31(token) ?? 0n) % 2n ** 80n) >> 17n, 12))
    expect([...tokens, ...shown].filter((text) => text.includes(about.alias))).toEqual([])
    const ends = tokens.map((token) => token.slice(-12))
    expect(new Set(ends).size).toBe(3)
  })

  it('is invalid with any changed character and for any other text of its shape', () => {
    const token = makeBounceToken(about, key, now)
    for (let at = 0; at < token.length; at++) {
      const other = alphabet[(alphabet.indexOf(token[at] as string) + 1) % alphabet.length]
      expect(readBounceToken(token.slice(0, at) + other + token.slice(at + 1), [key], now)).toBeUndefined()
    }
    const text = fc.string({ unit: fc.constantFrom(...alphabet), minLength: 42, maxLength: 42 })
    fc.assert(fc.property(fc.oneof(text, fc.string()), (one) => readBounceToken(one, [key], now) === undefined))
    expect(readBounceToken('z'.repeat(42), [key], now)).toBeUndefined()
  })

  it.each(['', 'short', 'abcdefghjkm1', 'abcdefghjkmnp'])('is not created for %j', (alias) => {
    expect(() => makeBounceToken({ kind: 'reply', alias }, key, now)).toThrow()
  })
})
