import { describe, expect, it } from 'vitest'
import { deriveKeys } from './derived-keys.ts'
import { sealBytes } from './seal.ts'
import { inspectToken, openToken, sealToken, type TokenKind } from './sealed-token.ts'

const time = 1_800_000_000_000
const [first, second, third] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer]
const sealer = { secrets: deriveKeys(first), now: () => new Date(time) }
const laterBy = (ms: number) => ({ ...sealer, now: () => new Date(time + ms) })
const kind: TokenKind = { purpose: 'totp-set-up', seconds: 60, longest: 400 }
const ada = { person: 'ada' }
const value = { some: 'value' }

describe('a sealed token', () => {
  it('opens for its purpose and holder', async () => {
    expect(openToken(sealer, kind, ada, sealToken(sealer, kind, ada, value))).toEqual(value)
    expect(openToken(sealer, kind, 'bearer', sealToken(sealer, kind, 'bearer', value))).toEqual(value)
  })

  it.each([
    ['another person', { person: 'bob' }],
    ['a browser', { browser: 'chrome' }],
    ['a browser without an id', { browser: undefined }],
    ['its bearer', 'bearer'],
  ] as const)('does not open for %s', async (_, presenter) => {
    const sealed = sealToken(sealer, kind, ada, value)
    expect(openToken(sealer, kind, presenter, sealed)).toBeUndefined()
    expect(inspectToken(sealer, kind, presenter, sealed)).toEqual({ value, isOwn: false })
  })

  it('of a bearer does not open for a browser without an id', async () => {
    const sealed = sealToken(sealer, kind, 'bearer', value)
    expect(openToken(sealer, kind, { browser: undefined }, sealed)).toBeUndefined()
  })

  it('does not open for another purpose', async () => {
    const sealed = sealToken(sealer, kind, ada, value)
    expect(inspectToken(sealer, { ...kind, purpose: 'totp-of-person' }, ada, sealed)).toBeUndefined()
  })

  it.each([undefined, 'totp-of-person'])('does not open with the right key and the type %s', async (type) => {
    const content = Buffer.from(JSON.stringify({ owner: 'ada', at: time, value }))
    const sealed = sealBytes(sealer.secrets.current(kind.purpose), content, type)
    expect(inspectToken(sealer, kind, ada, sealed)).toBeUndefined()
  })

  it('does not open after its lifetime', async () => {
    const sealed = sealToken(sealer, kind, ada, value)
    expect(openToken(laterBy(59_999), kind, ada, sealed)).toEqual(value)
    expect(inspectToken(laterBy(60_000), kind, ada, sealed)).toBeUndefined()
  })

  it('never expires when it is stored', async () => {
    const stored = { ...kind, seconds: Number.POSITIVE_INFINITY }
    const sealed = sealToken(sealer, stored, ada, value)
    expect(openToken(laterBy(1e12), stored, ada, sealed)).toEqual(value)
  })

  it('does not open when it is too large', async () => {
    const sealed = sealToken(sealer, kind, ada, value)
    expect(openToken(sealer, { ...kind, longest: sealed.length }, ada, sealed)).toEqual(value)
    expect(openToken(sealer, { ...kind, longest: sealed.length - 1 }, ada, sealed)).toBeUndefined()
  })

  it('does not open after a change of any part', async () => {
    const parts = sealToken(sealer, kind, ada, value).split('.')
    for (const index of [0, 2, 3, 4]) {
      const part = parts[index] as string
      const changed = parts.with(index, `${part[0] === 'A' ? 'B' : 'A'}${part.slice(1)}`).join('.')
      expect(inspectToken(sealer, kind, ada, changed)).toBeUndefined()
    }
  })

  it.each(['', 'x', 'eyJ', '....', `${'a.'.repeat(4)}a`])('does not open %j', async (text) => {
    expect(inspectToken(sealer, kind, ada, text)).toBeUndefined()
  })

  it('opens with the previous master key, and not with the one before that', async () => {
    const sealed = sealToken(sealer, kind, ada, value)
    expect(openToken({ ...sealer, secrets: deriveKeys(second, first) }, kind, ada, sealed)).toEqual(value)
    expect(openToken({ ...sealer, secrets: deriveKeys(third, second) }, kind, ada, sealed)).toBeUndefined()
  })

  it('is compressed if its kind requires it', async () => {
    const long = 'a'.repeat(10_000)
    const deflated = { ...kind, isDeflated: true } as const
    const sealed = sealToken(sealer, deflated, ada, long)
    expect(sealed.length).toBeLessThan(kind.longest)
    expect(openToken(sealer, deflated, ada, sealed)).toBe(long)
  })
})
