import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { readPublicKey } from './public-key-rules.ts'

function setUp() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'key-1' }
  return { jwk, privateJwk: { ...privateKey.export({ format: 'jwk' }), kid: 'key-1' } }
}

const reasonOf = (jwk: unknown) => {
  const read = readPublicKey(jwk)
  return read.ok ? 'accepted' : read.reason
}

test('a P-256 key is stored by its public members alone, and still is a key', () => {
  const { jwk } = setUp()
  const read = readPublicKey({ ...jwk, alg: 'ES256', use: 'sig', x5t: 'kept out', key_ops: ['verify'] })
  const stored = read.ok ? JSON.parse(read.key.jwk) : {}
  expect(stored).toEqual({ kty: 'EC', crv: 'P-256', x: jwk.x, y: jwk.y, kid: 'key-1', alg: 'ES256', use: 'sig' })
  expect(createPublicKey({ format: 'jwk', key: stored }).asymmetricKeyType).toBe('ec')
})

test('alg and use may be absent', () => {
  expect(reasonOf(setUp().jwk)).toBe('accepted')
})

test('a private key is refused by naming its private member', () => {
  const reason = reasonOf(setUp().privateJwk)
  expect(reason).toContain('private key (member d)')
  expect(reason).toContain('new pair')
})

test.each(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'])(
  'the private member %s is refused, whatever else the key is',
  (name) => {
    expect(reasonOf({ ...setUp().jwk, [name]: '' })).toContain(`member ${name}`)
    expect(reasonOf({ [name]: 'x' })).toContain(`member ${name}`)
  },
)

test.each([
  [{ kty: 'RSA' }, 'kty "RSA"'],
  [{ kty: undefined }, 'kty (none)'],
  [{ crv: 'P-384' }, 'crv "P-384"'],
  [{ crv: 'secp256k1' }, 'crv "secp256k1"'],
  [{ alg: 'ES384' }, 'alg "ES384"'],
  [{ alg: 'none' }, 'alg "none"'],
  [{ use: 'enc' }, 'use "enc"'],
  [{ key_ops: ['sign'] }, 'key_ops'],
  [{ kid: undefined }, 'kid'],
  [{ kid: '' }, 'kid'],
  [{ kid: 7 }, 'kid'],
  [{ kid: 'a b' }, 'kid'],
  [{ kid: 'a\0' }, 'kid'],
  [{ kid: 'k'.repeat(201) }, 'kid'],
  [{ x: undefined }, 'usable x'],
  [{ y: 'AAAA' }, 'usable y'],
  [{ x: `${'A'.repeat(43)}=` }, 'usable x'],
  [{ x: 'A'.repeat(43), y: 'A'.repeat(43) }, 'point of the curve'],
])('a key with %j is refused, and told why', (change, why) => {
  expect(reasonOf({ ...setUp().jwk, ...change })).toContain(why)
})

test.each([null, 'key', 7, [], undefined])('%j is no key', (value) => {
  expect(reasonOf(value)).toContain('must be a JWK')
})
