import { createPublicKey, verify } from 'node:crypto'
import { calculateJwkThumbprint, decodeProtectedHeader } from 'jose'
import { afterEach, describe, expect, it } from 'vitest'
import { keyStore } from '#lib/db/keys/key-store'
import { makeSigningKey } from '#lib/keys/make-signing-key'
import { openContext } from '#lib/server/compose/context'
import { readConfig } from '#lib/server/settings/config'
import { getTokens } from '#lib/testing/oauth/get-tokens'
import { acme, openPostern, type Postern } from '#lib/testing/process/postern'
import { answerJwks } from './jwks.ts'

const opened: Postern[] = []
afterEach(async () => {
  for (const postern of opened.splice(0)) await postern.close()
})

async function setUp() {
  const postern = await openPostern({ provision: { ...acme, people: acme.people.slice(0, 1) } })
  opened.push(postern)
  return { ...postern, postern, jwks: async () => (await answerJwks(postern.context.oauth)).json() }
}

describe('the JWKS', () => {
  it('has kid, alg and use, a thumbprint as kid, and no private member', async () => {
    const { keys } = await (await setUp()).jwks()
    expect(keys).toHaveLength(2)
    expect(keys[0]).toStrictEqual({
      kty: 'EC',
      crv: 'P-256',
      x: expect.stringMatching(/^[\w-]{43}$/),
      y: expect.stringMatching(/^[\w-]{43}$/),
      kid: await calculateJwkThumbprint(keys[0]),
      alg: 'ES256',
      use: 'sig',
    })
    expect(keys[1]).toStrictEqual({
      kty: 'RSA',
      n: expect.stringMatching(/^[\w-]{342}$/),
      e: 'AQAB',
      kid: await calculateJwkThumbprint(keys[1]),
      alg: 'RS256',
      use: 'sig',
    })
  })

  it('may be cached for minutes, less than a key is published ahead, and read by any web page', async () => {
    const { context } = await setUp()
    const { status, headers } = await answerJwks(context.oauth)
    expect(status).toBe(200)
    const age = Number(/^public, max-age=(\d+)$/.exec(headers.get('cache-control') ?? '')?.[1])
    expect(age >= 60 && age <= 3600).toBe(true)
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  it('publishes the next key before it signs and the retired one afterwards, and removes the expired one', async () => {
    const { postern, jwks, context, later, clock } = await setUp()
    const kids = async () =>
      (await jwks()).keys.flatMap(({ kid, alg }: { kid: string; alg: string }) => (alg === 'ES256' ? [kid] : []))
    const signer = async () => decodeProtectedHeader((await getTokens(postern)).access_token).kid
    const [first] = await kids()
    const in100 = new Date(clock.now.getTime() + 100_000)
    const in500 = new Date(clock.now.getTime() + 500_000)
    const store = keyStore(context.database.prisma)
    const next = await makeSigningKey(context, { algorithm: 'ES256', generation: 2 }, in100)
    await store.insertKey(next)
    later(10)
    expect((await kids()).sort()).toEqual([first, next.kid].sort())
    expect(await signer()).toBe(first)
    const { access_token } = await getTokens(postern)
    later(90)
    await store.retireBefore({ algorithm: 'ES256', generation: 2 }, in100, in500)
    later(10)
    expect(await signer()).toBe(next.kid)
    expect((await kids()).sort()).toEqual([first, next.kid].sort())
    expect((await postern.userinfo(access_token)).status).toBe(200)
    later(400)
    expect(await kids()).toEqual([next.kid])
  })

  it('suffices to verify a token', async () => {
    const { postern, jwks } = await setUp()
    const { id_token } = await getTokens(postern)
    const { kid } = decodeProtectedHeader(id_token)
    const jwk = (await jwks()).keys.find((key: { kid: string }) => key.kid === kid)
    const [header, payload, signature] = id_token.split('.')
    const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' as const }
    const signed = Buffer.from(`${header}.${payload}`)
    expect(verify('sha256', signed, key, Buffer.from(signature, 'base64url'))).toBe(true)
  })

  it('is the same on a node whose clock is behind, which can sign too', async () => {
    const { postern, clock, jwks } = await setUp()
    clock.now = new Date(clock.now.getTime() - 2000)
    const { keys } = await jwks()
    expect(decodeProtectedHeader((await getTokens(postern)).id_token).kid).toBe(keys[0].kid)
  })
})

describe('the private key in the database', () => {
  it('is sealed', async () => {
    const { context } = await setUp()
    const stored = await context.database.prisma.signingKey.findMany()
    expect(stored).toHaveLength(2)
    for (const row of stored) {
      expect(JSON.parse(row.publicJwk)).not.toHaveProperty('d')
      const header = Buffer.from(row.sealedPrivate.split('.')[0] ?? '', 'base64url').toString()
      expect(JSON.parse(header)).toEqual({ alg: 'dir', enc: 'A256CBC-HS512' })
      const bytes = row.sealedPrivate.split('.').map((part) => Buffer.from(part, 'base64url'))
      // The object identifiers of a P-256 key and of an RSA key in PKCS #8.
      for (const mark of ['06072a8648ce3d0201', '06082a8648ce3d030107', '06092a864886f70d010101']) {
        expect(bytes.some((part) => part.includes(Buffer.from(mark, 'hex')))).toBe(false)
      }
      expect(row.sealedPrivate).not.toContain('PRIVATE KEY')
    }
  })

  it('does not open with another SECRET_KEY: the process does not start, and makes no new key', async () => {
    const { settings, clock, context } = await setUp()
    const open = (changed: Record<string, string>) =>
      openContext(readConfig({ ...settings, ...changed }), { now: () => clock.now, random: context.random })
    const another = Buffer.alloc(32, 2).toString('base64url')
    await expect(open({ SECRET_KEY: another })).rejects.toThrow('SECRET_KEY does not open')
    expect(await context.database.prisma.signingKey.count()).toBe(2)
    const rotating = await open({ SECRET_KEY: another, SECRET_KEY_PREVIOUS: settings.SECRET_KEY })
    expect(await rotating.oauth.keys.published()).toHaveLength(2)
    await rotating.close()
  })
})
