import { createHash } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { acme, basicAuth, callback, openPostern, type Postern, secret, verifier } from '#lib/testing/process/postern'

const app = {
  kind: 'confidential',
  client_secret: secret,
  redirect_uris: [callback],
  scopes: ['openid', 'name', 'nickname', 'locale', 'email', 'profile'],
  email: 'optional',
  id_token_claims: true,
}
const apps = [
  { ...app, client_id: 'filled', name: 'Filled' },
  { ...app, client_id: 'filled-rsa', name: 'Filled with RSA', profile: 'oidc' },
  { ...app, client_id: 'bare', name: 'Bare', profile: 'oidc', id_token_claims: false },
]

let postern: Postern
beforeAll(async () => {
  const teams = [...acme.teams, { id: 'claims', name: 'Claims', apps }]
  postern = await openPostern({ provision: { ...acme, teams } })
})
afterAll(() => postern.close())

type Approval = Parameters<Postern['approve']>[0]

/** Returns the tokens for a fresh code of an app, and a function that refreshes them. */
async function tokensOf(clientId: string, approval: Approval = {}) {
  const headers = basicAuth(clientId, secret)
  const code = await postern.approve({ clientId, ...approval })
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier }
  const tokens = await (await postern.token(form, headers)).json()
  const refresh = async (changed = {}) =>
    (
      await postern.token({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token, ...changed }, headers)
    ).json()
  return { tokens, refresh }
}
const claimsOf = ({ id_token }: { id_token: string }) => decodeJwt(id_token)
const halfHash = (token: string) =>
  createHash('sha256').update(token, 'ascii').digest().subarray(0, 16).toString('base64url')

describe('at_hash (Core §3.1.3.6: the left half of the hash of access_token)', () => {
  it.each([
    ['acme-web', 'ES256'],
    ['filled-rsa', 'RS256'],
  ])('is in the ID token of the app %s with %s', async (id, alg) => {
    const { tokens } = await tokensOf(id)
    expect(decodeProtectedHeader(tokens.id_token).alg).toBe(alg)
    expect(claimsOf(tokens).at_hash).toBe(halfHash(tokens.access_token))
  })

  it('belongs to the new access token after a refresh (§12.2)', async () => {
    const { tokens, refresh } = await tokensOf('filled')
    const next = await refresh()
    expect(claimsOf(next).at_hash).toBe(halfHash(next.access_token))
    expect(claimsOf(next).at_hash).not.toBe(claimsOf(tokens).at_hash)
  })
})

describe('the claims of the person in an ID token (Core §5.4)', () => {
  const scopes = ['openid', 'name', 'nickname', 'email']

  it('are read once, before the code is spent, so that a failed read leaves the code valid', async () => {
    const store = postern.context.oauth.store as unknown as { findGrant(id: string, jti: string): Promise<unknown> }
    const { findGrant } = store
    onTestFinished(() => {
      store.findGrant = findGrant
    })
    let reads = 0
    store.findGrant = async () => {
      reads += 1
      throw new Error('the database is away')
    }
    const code = await postern.approve({ clientId: 'filled', scopes })
    const form = { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier }
    await expect(postern.token(form, basicAuth('filled', secret))).rejects.toThrow('the database is away')
    store.findGrant = (...given) => {
      reads += 1
      return findGrant(...given)
    }
    const answer = await postern.token(form, basicAuth('filled', secret))
    expect(claimsOf(await answer.json())).toHaveProperty('name')
    expect(reads).toBe(2)
  })

  it.each(['filled', 'filled-rsa'])(
    'are the granted and set ones if the app %s registered id_token_claims',
    async (clientId) => {
      const { tokens, refresh } = await tokensOf(clientId, { scopes, emailChoice: 'regular' })
      for (const one of [tokens, await refresh()]) {
        expect(claimsOf(one)).toMatchObject({ name: 'Ada L.', email: 'ada@example.org', email_verified: true })
        expect(claimsOf(one).updated_at).toEqual(expect.any(Number))
        for (const absent of ['nickname', 'locale', 'picture', 'preferred_username'])
          expect(claimsOf(one)).not.toHaveProperty(absent)
      }
    },
  )

  it('show the relay address, never the hidden one', async () => {
    const { tokens } = await tokensOf('filled', { scopes, emailChoice: 'hidden' })
    expect(JSON.stringify(claimsOf(tokens))).not.toContain('ada@example.org')
  })

  it('are not in the ID token of an app that did not register it', async () => {
    for (const clientId of ['bare', 'acme-web']) {
      const claims = claimsOf((await tokensOf(clientId, { scopes, emailChoice: 'regular' })).tokens)
      for (const absent of ['name', 'email', 'updated_at']) expect(claims).not.toHaveProperty(absent)
    }
  })

  it('follow the profile of the person at each refresh', async () => {
    const { tokens, refresh } = await tokensOf('filled', { scopes })
    const { prisma } = postern.context.database
    await prisma.person.updateMany({ where: { username: 'ada' }, data: { nickname: 'Countess' } })
    const next = claimsOf(await refresh())
    await prisma.person.updateMany({ where: { username: 'ada' }, data: { nickname: '' } })
    expect([claimsOf(tokens).nickname, next.nickname]).toEqual([undefined, 'Countess'])
  })

  it('never replace the claims of the token itself (§2)', async () => {
    const { tokens } = await tokensOf('filled', { scopes, nonce: 'n' })
    const { iss, aud, nonce, exp, iat } = claimsOf(tokens)
    expect([iss, aud, nonce, Number(exp) > Number(iat)]).toEqual([postern.context.config.issuer, 'filled', 'n', true])
  })
})
