import { CompactSign } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { sha256 } from '#lib/crypto/hash'
import { OAuthError } from '#lib/oauth/error'
import { makeProofPair, type ProofChange, type ProofPair, signProof } from '#lib/testing/oauth/proofs'
import { checkProof } from './proof.ts'

const now = new Date('2026-11-20T10:00:00Z')
const seconds = now.getTime() / 1000
const endpoint = 'https://id.example.org/oauth2/token'

let pair: ProofPair
let other: ProofPair
beforeAll(async () => {
  pair = await makeProofPair()
  other = await makeProofPair()
})

const check = (jwt: string, accessToken?: string) =>
  checkProof(jwt, { method: 'POST', endpoint, now, ...(accessToken !== undefined && { accessToken }) })
const send = async (change: ProofChange = {}, accessToken?: string) =>
  check(await signProof(pair, endpoint, { at: now, ...change }), accessToken)
const withHtu = (htu: unknown) => send({ claims: { htu } })

/** Returns the reason of a refusal, which is always invalid_dpop_proof (RFC 9449 §5). */
async function reasonOf(checking: Promise<unknown>): Promise<string> {
  const fault = await checking.then(
    () => expect.fail('The proof was accepted.'),
    (thrown: unknown) => thrown,
  )
  if (!(fault instanceof OAuthError)) throw fault
  expect(fault.code).toBe('invalid_dpop_proof')
  return fault.reason
}

describe('a good proof', () => {
  it.each(['ES256', 'PS256', 'EdDSA', 'Ed25519'])('is accepted with a key for %s', async (alg) => {
    const key = await makeProofPair(alg)
    const proof = await check(await signProof({ ...key, alg }, endpoint, { at: now }))
    expect(proof.jkt).toBe(key.jkt)
  })

  it('may carry exp, nbf and unknown claims', async () => {
    const claims = { exp: seconds + 1, nbf: seconds + 8, other: [1] }
    expect(await send({ claims })).toMatchObject({ jkt: pair.jkt })
  })

  it('may carry members in jwk that are no part of the key', async () => {
    const jwk = { ...pair.publicJwk, use: 'sig', alg: 'ES256', kid: 'k', key_ops: ['verify'] }
    expect(await send({ header: { jwk } })).toMatchObject({ jkt: pair.jkt })
  })

  it.each([-60, -10, 10, 60])('is accepted when iat is %i seconds off', async (off) => {
    expect(await send({ at: new Date(now.getTime() + off * 1000) })).toMatchObject({ jkt: pair.jkt })
  })

  it('cannot be used after the time that is returned', async () => {
    const jwt = await signProof(pair, endpoint, { at: now })
    const { expiresAt } = await check(jwt)
    await reasonOf(checkProof(jwt, { method: 'POST', endpoint, now: expiresAt }))
  })
})

describe('the header of a proof', () => {
  it.each([
    ['typ is absent', { typ: undefined }],
    ['typ is JWT', { typ: 'JWT' }],
    ['jwk is absent', { jwk: undefined }],
    ['jwk is null', { jwk: null }],
    ['jwk is a list', { jwk: [] }],
    ['jwk is a text', { jwk: 'x' }],
    ['jwk is empty', { jwk: {} }],
    ['jwk is a symmetric key', { jwk: { kty: 'oct', k: 'AAAA' } }],
    ['jwk has an unknown curve', { jwk: { kty: 'EC', crv: 'P-521', x: 'AA', y: 'AA' } }],
    ['jwk has a coordinate of the wrong type', { jwk: { kty: 'EC', crv: 'P-256', x: 1, y: {} } }],
    ['jwk is not on the curve', { jwk: { kty: 'EC', crv: 'P-256', x: 'A'.repeat(43), y: 'A'.repeat(43) } }],
    ['b64 is present', { b64: true }],
  ])('is refused when %s', async (_, header) => {
    await reasonOf(send({ header }))
  })

  it('is refused when jwk holds a private key (RFC 9449 §4.3 check 7)', async () => {
    expect(await reasonOf(send({ header: { jwk: pair.privateJwk } }))).toContain('private key')
  })

  it('is refused when jwk is of another key than the signature (check 6)', async () => {
    expect(await reasonOf(send({ header: { jwk: other.publicJwk } }))).toContain('signature')
  })

  it.each(['ES256', 'PS256', 'EdDSA'])(
    'is refused when the signature for %s is changed, cut or extended',
    async (alg) => {
      const jwt = await signProof(await makeProofPair(alg), endpoint, { at: now })
      const content = jwt.slice(0, jwt.lastIndexOf('.'))
      const signature = Buffer.from(jwt.slice(content.length + 1), 'base64url')
      const changed = Buffer.from(signature)
      changed[9] = (changed[9] as number) ^ 1
      for (const bytes of [
        changed,
        signature.subarray(1),
        Buffer.concat([signature, Buffer.alloc(1)]),
        Buffer.alloc(64),
      ])
        expect(await reasonOf(check(`${content}.${bytes.toString('base64url')}`))).toContain('signature')
    },
  )

  it('is refused when jwk does not fit alg', async () => {
    const rsa = await makeProofPair('PS256')
    expect(await reasonOf(send({ header: { jwk: rsa.publicJwk } }))).toContain('does not fit')
  })

  it.each(['none', 'HS256', 'RS256', 'ES384', 'es256', '', undefined, 1])('is refused with alg %j', async (alg) => {
    const jwt = await signProof(pair, endpoint, { at: now })
    const header = { typ: 'dpop+jwt', alg, jwk: pair.publicJwk }
    const [, payload, signature] = jwt.split('.')
    const changed = Buffer.from(JSON.stringify(header)).toString('base64url')
    expect(await reasonOf(check(`${changed}.${payload}.${signature}`))).toContain('alg')
  })

  it('is refused with a MAC that uses the public key as its secret', async () => {
    const secret = Buffer.from(JSON.stringify(pair.publicJwk))
    const claims = { jti: 'j', htm: 'POST', htu: endpoint, iat: seconds }
    const jwt = await new CompactSign(Buffer.from(JSON.stringify(claims)))
      .setProtectedHeader({ typ: 'dpop+jwt', alg: 'HS256', jwk: pair.publicJwk })
      .sign(secret)
    expect(await reasonOf(check(jwt))).toContain('alg')
  })

  it('is refused with an RSA key of 1024 bits, of 8192 bits, or with another exponent', async () => {
    const { publicJwk } = await makeProofPair('PS256')
    for (const change of [{ n: 'x'.repeat(171) }, { n: 'x'.repeat(1366) }, { e: 'Aw' }]) {
      const changed = { ...pair, alg: 'ES256' }
      const jwt = await signProof(changed, endpoint, { at: now })
      const header = { typ: 'dpop+jwt', alg: 'PS256', jwk: { ...publicJwk, ...change } }
      const [, payload, signature] = jwt.split('.')
      const first = Buffer.from(JSON.stringify(header)).toString('base64url')
      expect(await reasonOf(check(`${first}.${payload}.${signature}`))).toContain('does not fit')
    }
  })
})

describe('the claims of a proof', () => {
  it.each([
    ['jti', [undefined, '', 1, null, 'x'.repeat(257)]],
    ['htm', [undefined, '', 'GET', 'post', ['POST'], null]],
    ['htu', [undefined, '', 1, null, ['https://id.example.org/oauth2/token']]],
    ['iat', [undefined, null, String(seconds), seconds - 61, seconds + 61, 0, -1]],
    ['exp', [null, 'soon', seconds, seconds - 1]],
    ['nbf', [null, 'now', seconds + 61]],
  ])('are refused with a missing or wrong %s', async (name, values) => {
    for (const value of values)
      expect(await reasonOf(send({ claims: { [name]: value } }))).toContain(name === 'exp' ? 'expired' : name)
  })

  it.each(['x', '', 'ath'])('are refused with ath %j beside an access token', async (ath) => {
    expect(await reasonOf(send({ claims: { ath } }, 'token'))).toContain('ath')
  })

  it('are refused without ath beside an access token', async () => {
    expect(await reasonOf(send({}, 'token'))).toContain('ath')
    expect(await send({ claims: { ath: sha256('token') } }, 'token')).toMatchObject({ jkt: pair.jkt })
  })
})

describe('htu (RFC 9449 §4.3 check 9)', () => {
  it.each([
    'https://id.example.org/oauth2/token?a=b',
    'https://id.example.org/oauth2/token#part',
    'https://id.example.org/oauth2/token?a#b',
    'https://ID.Example.ORG/oauth2/token',
    'HTTPS://id.example.org/oauth2/token',
    'https://id.example.org:443/oauth2/token',
    'https://id.example.org/oauth2/./token',
    'https://id.example.org/x/../oauth2/token',
    'https://id.example.org/oauth2/%74oken',
  ])('matches as %s', async (htu) => {
    expect(await withHtu(htu)).toMatchObject({ jkt: pair.jkt })
  })

  it.each([
    'http://id.example.org/oauth2/token',
    'https://id.example.org:8443/oauth2/token',
    'https://id.example.org/oauth2/token/',
    'https://id.example.org/oauth2/Token',
    'https://id.example.org/oauth2/par',
    'https://id.example.org/userinfo',
    'https://id.example.org',
    'https://id.example.org.attacker.example/oauth2/token',
    'https://attacker.example/oauth2/token',
    'https://user@id.example.org/oauth2/token',
    'https://id.example.org\\oauth2\\token',
    ' https://id.example.org/oauth2/token',
    '//id.example.org/oauth2/token',
    '/oauth2/token',
    'https:id.example.org/oauth2/token',
    'https://id.example.org/oauth2%2Ftoken',
    `https://id.example.org/oauth2/token?${'x'.repeat(9000)}`,
  ])('does not match as %.60s', async (htu) => {
    await reasonOf(withHtu(htu))
  })
})

describe('a header that is no single JWT (checks 1 and 2)', () => {
  it('is refused when two proofs arrive as one header', async () => {
    const [one, two] = [await signProof(pair, endpoint, { at: now }), await signProof(pair, endpoint, { at: now })]
    expect(await reasonOf(check(`${one}, ${two}`))).toContain('more than one')
  })

  it.each(['', 'x', 'a.b', 'a.b.c', 'a.b.c.d.e', '..', 'e30.e30.e30', 'ünicode', 'a b.c.d', 'x'.repeat(20_000)])(
    'is refused as junk: %.20s',
    async (junk) => {
      await reasonOf(check(junk))
    },
  )

  it.each(['[]', '"text"', 'null', '{', '\ufffd'])('is refused with the content %s', async (content) => {
    const jwt = await new CompactSign(Buffer.from(content))
      .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk: pair.publicJwk })
      .sign(pair.privateKey)
    await reasonOf(check(jwt))
  })

  it('is refused when one character of the signature differs', async () => {
    const jwt = await signProof(pair, endpoint, { at: now })
    const at = jwt.length - 10
    expect(await reasonOf(check(`${jwt.slice(0, at)}${jwt[at] === 'A' ? 'B' : 'A'}${jwt.slice(at + 1)}`))).toContain(
      'signature',
    )
  })
})
