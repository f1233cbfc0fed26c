import { CompactEncrypt, type CompactJWEHeaderParameters, compactDecrypt } from 'jose'
import { describe, expect, it } from 'vitest'
import { claimedType, openSealed, sealBytes } from './seal.ts'

const [key, other] = [Buffer.alloc(64, 1), Buffer.alloc(64, 2)]
const ours = { alg: 'dir', enc: 'A256CBC-HS512' } as const
const contents = [0, 1, 15, 16, 17, 5000].map((length) => Buffer.alloc(length, 'ж'))

/** Seals by another implementation of RFC 7516. */
const sealedByJose = (header: CompactJWEHeaderParameters, content: Uint8Array = Buffer.from('x'), by = key) =>
  new CompactEncrypt(content).setProtectedHeader(header).encrypt(by)

describe('a sealed text', () => {
  it('is a JWE that another implementation opens', async () => {
    for (const content of contents) {
      const { plaintext, protectedHeader } = await compactDecrypt(sealBytes(key, content, 'a-type'), key)
      expect([Buffer.from(plaintext), protectedHeader]).toEqual([content, { ...ours, typ: 'a-type' }])
    }
  })

  it('opens when another implementation made it', async () => {
    for (const content of contents) expect(openSealed([other, key], await sealedByJose(ours, content))).toEqual(content)
  })

  it('has another form each time, and names its type only when it has one', () => {
    expect(sealBytes(key, contents[3] as Buffer)).not.toBe(sealBytes(key, contents[3] as Buffer))
    expect(claimedType(sealBytes(key, Buffer.from('x'), 'a-type'))).toBe('a-type')
    expect(claimedType(sealBytes(key, Buffer.from('x')))).toBeUndefined()
  })

  it.each([
    ['another cipher', { alg: 'dir', enc: 'A256GCM' }, Buffer.alloc(32, 1)],
    ['a half key', { alg: 'dir', enc: 'A128CBC-HS256' }, Buffer.alloc(32, 1)],
    ['a wrapped key', { alg: 'A256KW', enc: 'A256CBC-HS512' }, Buffer.alloc(32, 1)],
    ['a further field', { ...ours, kid: 'x' }, key],
  ])('does not open with %s', async (_, header, by) => {
    expect(openSealed([key], await sealedByJose(header, Buffer.from('x'), by))).toBeUndefined()
  })

  it('does not open after any change of a character, also one that decodes to the same bytes', () => {
    const sealed = sealBytes(key, Buffer.from('secret'), 'a-type')
    const opens = (text: string) => openSealed([key], text) !== undefined
    expect(opens(sealed)).toBe(true)
    const changed = [...sealed].flatMap((was, at) =>
      ['A', 'Q', '-', '.', '=', ' ', '']
        .filter((one) => one !== was)
        .map((one) => sealed.slice(0, at) + one + sealed.slice(at + 1)),
    )
    expect(changed.filter(opens)).toEqual([])
    expect([`${sealed}.`, `${sealed}=`, `.${sealed}`, sealed.replace('..', '.AA.')].filter(opens)).toEqual([])
  })

  it.each(['', '.', '....', 'e30....', 'bnVsbA....', 'W10....', 'MQ....', 'x'.repeat(100_000), '.'.repeat(100_000)])(
    'opens nothing that is no sealed text',
    (text) => {
      expect([openSealed([key], text), claimedType(text)]).toEqual([undefined, undefined])
    },
  )
})
