import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kinds } from '#lib/testing/databases'
import { getTokens } from '#lib/testing/get-tokens'
import { acme, applyProvision, basic, openPostern, type Postern } from '#lib/testing/postern'
import { refusal } from '#lib/testing/tokens'
import { askingAgain, type ConsentRecord, consentQuestion, decide } from './authorize/consent.ts'
import type { Client } from './client.ts'
import { profileScopes } from './scope.ts'

const nine = [...profileScopes]

describe.each(kinds)('a scope that the operator takes from an app, on %s', (kind) => {
  let postern: Postern
  beforeAll(async () => {
    postern = await openPostern({ kind })
  })
  afterAll(() => postern.close())

  /** What `cli apply` registers for the app from now on. */
  const registerScopes = (scopes: string[]) => {
    const [team] = acme.teams
    const email = scopes.includes('email') ? 'optional' : 'none'
    const apps = [{ ...team?.apps[0], scopes, email }]
    return applyProvision(postern.settings, { teams: [{ ...team, apps }] })
  }
  const setUp = async (scopes: string[]) => {
    await registerScopes(['openid', ...nine, 'email', 'profile'])
    return getTokens(postern, { scopes })
  }
  const userinfo = async (token: string) => (await postern.userinfo(token)).json()
  const introspect = async (token: string) => (await postern.introspect({ token })).json()
  const refresh = (refresh_token: string, more = {}) =>
    postern.token({ grant_type: 'refresh_token', refresh_token, ...more }, basic)
  const scopeOf = (token: string) => String(decodeJwt(token).scope)

  it('is gone from userinfo, introspection and refresh of living tokens at once', async () => {
    const given = await setUp(['openid', 'name', 'locale', 'email'])
    expect(await userinfo(given.access_token)).toMatchObject({ name: 'Ada L.', email: 'ada@example.org' })
    await registerScopes(['openid', 'name'])
    const told = await userinfo(given.access_token)
    expect([told.name, told.locale, told.email, told.email_verified]).toEqual(['Ada L.', '', undefined, undefined])
    for (const token of [given.access_token, given.refresh_token])
      expect(await introspect(token)).toMatchObject({ active: true, scope: 'openid name' })
    const next = await (await refresh(given.refresh_token)).json()
    expect([next.scope, scopeOf(next.access_token)]).toEqual(['openid name', 'openid name'])
    expect(decodeJwt(given.id_token).locale).toBe('ja')
    expect(decodeJwt(next.id_token).locale).toBeUndefined()
  })

  it('is left out of a refresh that still names it, while one that was never granted is refused', async () => {
    const given = await setUp(['openid', 'name', 'locale'])
    await registerScopes(['openid', 'name'])
    expect(await refusal(refresh(given.refresh_token, { scope: 'openid email' }))).toBe('400 invalid_scope')
    const next = await (await refresh(given.refresh_token, { scope: 'openid name locale' })).json()
    expect([next.scope, scopeOf(next.access_token)]).toEqual(['openid name', 'openid name'])
  })

  it('is left out of the tokens for a code that was given before', async () => {
    await setUp(['openid'])
    const code = await postern.approve({ scopes: ['openid', 'name', 'email'] })
    await registerScopes(['openid', 'name'])
    const { token, context } = postern
    const form = { grant_type: 'authorization_code', code, redirect_uri: 'https://acme.example/callback' }
    const given = await (await token({ ...form, code_verifier: 'v'.repeat(43) })).json()
    expect([given.scope, scopeOf(given.access_token)]).toEqual(['openid name', 'openid name'])
    expect(context.config.issuer).toBe(decodeJwt(given.access_token).iss)
  })

  it.each([
    ['with its nine', ['openid', 'profile', ...nine]],
    ['alone, as old tokens hold it', ['openid', 'profile']],
  ])('leaves the rest of a bundle that was granted %s', async (_, scopes) => {
    const given = await setUp(scopes)
    expect(await introspect(given.access_token)).toMatchObject({ scope: scopes.join(' ') })
    await registerScopes(['openid', 'name', 'locale'])
    const told = await userinfo(given.access_token)
    expect([told.name, told.locale, told.preferred_username]).toEqual(['Ada L.', 'ja', ''])
    for (const token of [given.access_token, given.refresh_token])
      expect(await introspect(token)).toMatchObject({ scope: 'openid name locale' })
    const next = await (await refresh(given.refresh_token, { scope: 'openid profile' })).json()
    expect(next.scope).toBe('openid name locale')
  })

  it('comes back with the registration, for the same grant', async () => {
    const given = await setUp(['openid', 'name', 'locale'])
    await registerScopes(['openid'])
    const narrow = await (await refresh(given.refresh_token)).json()
    expect(narrow.scope).toBe('openid')
    await registerScopes(['openid', 'name', 'locale'])
    // The token minted meanwhile stays as narrow as it is.
    expect((await userinfo(narrow.access_token)).locale).toBe('')
    expect((await (await refresh(narrow.refresh_token)).json()).scope).toBe('openid name locale')
  })

  it('ends everything while it is openid, and uses up nothing', async () => {
    const given = await setUp(['openid', 'name'])
    const code = await postern.approve({ scopes: ['openid', 'name'] })
    const { prisma } = postern.context.database
    // No declaration can say so; a row can.
    await prisma.app.update({ where: { id: 'acme-web' }, data: { scopes: 'name' } })
    expect((await postern.userinfo(given.access_token)).status).toBe(403)
    for (const token of [given.access_token, given.refresh_token])
      expect(await introspect(token)).toStrictEqual({ active: false })
    expect(await refusal(refresh(given.refresh_token))).toBe('400 invalid_grant')
    const form = { grant_type: 'authorization_code', code, redirect_uri: 'https://acme.example/callback' }
    const exchange = () => postern.token({ ...form, code_verifier: 'v'.repeat(43) })
    expect(await refusal(exchange())).toBe('400 invalid_grant')
    await registerScopes(['openid', 'name'])
    expect([(await refresh(given.refresh_token)).status, (await exchange()).status]).toEqual([200, 200])
  })
})

describe('the page on which people look at an app', () => {
  it('asks about nothing that the app may no longer have, and keeps what was decided about it', () => {
    const registered = { scopes: ['openid', 'name'], requiredScopes: [], email: 'none', kind: 'confidential' }
    const client = { ...registered, redirectUris: ['https://acme.example/callback'] } as unknown as Client
    const record: ConsentRecord = { granted: ['openid', 'name', 'nickname'], declined: ['locale'], emailChoice: 'none' }
    const asking = askingAgain(client, record)
    expect(consentQuestion(asking, record).scopes.map(({ name }) => name)).toEqual(['openid', 'name'])
    const sent = { scopes: ['nickname', 'locale'], emailChoice: undefined }
    expect(decide(asking, record, sent)).toEqual({
      granted: ['openid', 'nickname'],
      declined: ['name', 'locale'],
      emailChoice: 'none',
    })
  })
})
