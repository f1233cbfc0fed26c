import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { expect, it } from 'vitest'
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

it('stores only the public members of a P-256 key', () => {
  const { jwk } = setUp()
  const read = readPublicKey({ ...jwk, alg: 'ES256', use: 'sig', x5t: 'kept out', key_ops: ['verify'] })
  const stored = read.ok ? JSON.parse(read.key.jwk) : {}
  expect(stored).toEqual({ kty: 'EC', crv: 'P-256', x: jwk.x, y: jwk.y, kid: 'key-1', alg: 'ES256', use: 'sig' })
  expect(createPublicKey({ format: 'jwk', key: stored }).asymmetricKeyType).toBe('ec')
})

it('accepts a key without alg and use', () => {
  expect(reasonOf(setUp().jwk)).toBe('accepted')
})

it('rejects a private key and names its private member', () => {
  const reason = reasonOf(setUp().privateJwk)
  expect(reason).toContain('private key (member d)')
  expect(reason).toContain('new key pair')
})

it.each(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'])('rejects the private member %s in any key', (name) => {
  expect(reasonOf({ ...setUp().jwk, [name]: '' })).toContain(`member ${name}`)
  expect(reasonOf({ [name]: 'x' })).toContain(`member ${name}`)
})

it.each([
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
])('rejects a key with %j and says why', (change, why) => {
  expect(reasonOf({ ...setUp().jwk, ...change })).toContain(why)
})

it.each([null, 'key', 7, [], undefined])('rejects %j in place of a key', (value) => {
  expect(reasonOf(value)).toContain('must be a JWK')
})
