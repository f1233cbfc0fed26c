import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type ProfileName, profileOf } from './profile.ts'
import { fitsAlg, readPublicKey } from './public-key.ts'

function setUp() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'key-1' }
  return { jwk, privateJwk: { ...privateKey.export({ format: 'jwk' }), kid: 'key-1' } }
}

const reasonOf = (jwk: unknown) => {
  const read = readPublicKey(jwk, ['ES256'])
  return read.ok ? 'accepted' : read.reason
}

it('stores only the public members of a P-256 key', () => {
  const { jwk } = setUp()
  const read = readPublicKey({ ...jwk, alg: 'ES256', use: 'sig', x5t: 'kept out', key_ops: ['verify'] }, ['ES256'])
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

const oidc = profileOf('oidc').keyAlgs
const fapi2 = profileOf('fapi2').keyAlgs
const rsaOf = (modulusLength: number, publicExponent = 65_537) => ({
  ...generateKeyPairSync('rsa', { modulusLength, publicExponent }).publicKey.export({ format: 'jwk' }),
  kid: 'rsa',
})
const edwards = { ...generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }), kid: 'ed' }
const rsa = rsaOf(2048)

const storedAs = (jwk: unknown, algs = oidc) => {
  const read = readPublicKey(jwk, algs)
  return read.ok ? JSON.parse(read.key.jwk) : read.reason
}

describe('a key of a profile with more algorithms', () => {
  it('is stored with its public members, and with its algorithm if it names one', () => {
    const { n } = rsa
    expect(storedAs({ ...rsa, x5t: 'kept out' })).toEqual({ kty: 'RSA', n, e: 'AQAB', kid: 'rsa', use: 'sig' })
    expect(storedAs({ ...rsa, alg: 'PS256' })).toMatchObject({ alg: 'PS256' })
    expect(storedAs(edwards)).toEqual({ kty: 'OKP', crv: 'Ed25519', x: edwards.x, kid: 'ed', use: 'sig' })
    expect(storedAs({ ...edwards, alg: 'Ed25519' })).toMatchObject({ alg: 'Ed25519' })
  })

  it.each([
    ['standard', rsa, 'kty "RSA"; it must be EC'],
    ['standard', edwards, 'kty "OKP"; it must be EC'],
    ['fapi2', { ...rsa, alg: 'RS256' }, 'alg "RS256"; it must be PS256 or absent'],
    ['oidc', { ...rsa, alg: 'RS512' }, 'alg "RS512"; it must be PS256 or RS256 or absent'],
    ['oidc', { ...edwards, crv: 'Ed448' }, 'crv "Ed448"'],
    ['oidc', { ...edwards, crv: 'X25519' }, 'crv "X25519"'],
    ['oidc', { ...edwards, x: 'AAAA' }, 'usable x'],
    ['oidc', { ...rsa, e: 'Aw' }, 'e "Aw"'],
    ['oidc', { ...rsa, n: `AA${rsa.n}` }, 'usable n'],
    ['oidc', { ...rsa, n: '' }, 'usable n'],
    ['oidc', { ...rsa, n: undefined }, 'usable n'],
    ['oidc', { ...rsa, p: 'x' }, 'private key (member p)'],
    ['oidc', { ...edwards, d: 'x' }, 'private key (member d)'],
    ['fapi2', { kty: 'oct', kid: 'k' }, 'kty "oct"; it must be EC or RSA or OKP'],
  ] as [ProfileName, object, string][])('is rejected in %s, with the reason', (profile, jwk, why) => {
    expect(storedAs(jwk, profileOf(profile).keyAlgs)).toContain(why)
  })

  it('has 2048 to 4096 bits if it is an RSA key (RFC 7518 §3.5; FAPI 2.0 §5.4.1)', () => {
    expect(storedAs(rsaOf(1024), fapi2)).toContain('1024 bits')
    expect(storedAs(rsaOf(2047), fapi2)).toContain('2047 bits')
    expect(storedAs({ ...rsa, n: `_${'A'.repeat(682)}` })).toMatchObject({ kty: 'RSA' })
    expect(storedAs({ ...rsa, n: Buffer.alloc(513, 255).toString('base64url') })).toContain('4104 bits')
  })

  it('verifies the algorithms of its type, and only the one that it names (RFC 7517 §4.4)', () => {
    expect([fitsAlg(rsa, 'PS256'), fitsAlg(rsa, 'RS256'), fitsAlg(rsa, 'ES256')]).toEqual([true, true, false])
    expect(fitsAlg({ ...rsa, alg: 'RS256' }, 'PS256')).toBe(false)
    expect([fitsAlg({ ...edwards, alg: 'EdDSA' }, 'Ed25519'), fitsAlg(edwards, 'ES256')]).toEqual([true, false])
  })
})
