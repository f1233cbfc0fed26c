import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { expect, it } from 'vitest'
import { fromDer, toDer } from './ecdsa-signature.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const raw = { key: publicKey, dsaEncoding: 'ieee-p1363' as const }

it('converts signatures of OpenSSL in both directions', () => {
  for (let count = 0; count < 300; count++) {
    const content = Buffer.from(String(count))
    const der = sign('sha256', content, privateKey)
    expect(verify('sha256', content, raw, fromDer(der))).toBe(true)
    expect(toDer(fromDer(der))).toEqual(der)
  }
})

it.each([
  ['3006020101020101', '01', '01'],
  ['30080202008002020080', '80', '80'],
  ['3006020100020100', '00', '00'],
])('converts the short integers of %s in both directions', (der, r, s) => {
  const raw = Buffer.from(r.padStart(64, '0') + s.padStart(64, '0'), 'hex')
  expect(fromDer(Buffer.from(der, 'hex'))).toEqual(raw)
  expect(toDer(raw)?.toString('hex')).toBe(der)
})

it.each([0, 63, 65, 128])('returns nothing for a signature of %i bytes', (length) => {
  expect(toDer(Buffer.alloc(length, 1))).toBeUndefined()
})
