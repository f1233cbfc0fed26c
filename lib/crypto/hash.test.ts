import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hmac } from './hash.ts'

describe('hmac', () => {
  it('returns the same as createHmac, for every length of key and text', () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(bytes, fc.array(fc.oneof(bytes, fc.string({ unit: 'binary' })), { minLength: 1 }), (key, parts) => {
        const mac = createHmac('sha256', key)
        for (const [at, part] of parts.entries()) mac.update(at === 0 ? '' : '\0').update(part)
        expect(hmac(key, ...parts)).toEqual(mac.digest())
      }),
    )
  })

  it.each([
    ['0b'.repeat(20), '4869205468657265', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
    ['aa'.repeat(20), 'dd'.repeat(50), '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe'],
    [
      'aa'.repeat(131),
      Buffer.from('Test Using Larger Than Block-Size Key - Hash Key First').toString('hex'),
      '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
    ],
  ])('agrees with RFC 4231 §4 for the key %s', (key, text, expected) => {
    expect(hmac(Buffer.from(key, 'hex'), Buffer.from(text, 'hex')).toString('hex')).toBe(expected)
  })
})
