import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import type { Client } from '#lib/oauth/client/client'
import { askingAgain, consentQuestion, decide } from '#lib/oauth/consent/consent'
import type { ConsentRecord } from '#lib/oauth/consent/store'
import { kinds } from '#lib/testing/databases/databases'
import { applyProvision } from '#lib/testing/databases/provisioned-database'
import { refusal, setUpTokens } from '#lib/testing/oauth/tokens'
import { acme } from '#lib/testing/process/postern'
import { profileScopes } from './scope.ts'

const nine = [...profileScopes]
const scopeOf = (token: string) => String(decodeJwt(token).scope)

/** Returns a provisioning file that registers these scopes for the app. */
function declare(scopes: string[]) {
  const [team] = acme.teams
  const email = scopes.includes('email') ? 'optional' : 'none'
  return { teams: [{ ...team, apps: [{ ...team?.apps[0], scopes, email }] }] }
}

describe.each(kinds)('a scope that the operator takes from an app, on %s', (kind) => {
  /** Opens a new process for each test, because a process caches registrations for a few seconds. */
  const setUp = async (scopes: string[]) => {
    const postern = await setUpTokens({ kind })
    const { userinfo, introspect, settings } = postern
    return {
      ...postern,
      given: await postern.tokens({ scopes }),
      /** Registers these scopes as `cli apply` does. */
      register: (registered: string[]) => applyProvision(settings, declare(registered)),
      claims: async (token: string) => (await userinfo(token)).json(),
      tell: async (token: string) => (await introspect({ token })).json(),
    }
  }

  it('is gone from userinfo, introspection and refresh of existing tokens at once', async () => {
    const { given, register, claims, tell, refresh } = await setUp(['openid', 'name', 'locale', 'email'])
    expect(await claims(given.access_token)).toMatchObject({ name: 'Ada L.', email: 'ada@example.org' })
    await register(['openid', 'name'])
    const shown = await claims(given.access_token)
    expect([shown.name, shown.locale, shown.email, shown.email_verified]).toEqual(['Ada L.', '', undefined, undefined])
    for (const token of [given.access_token, given.refresh_token])
      expect(await tell(token)).toMatchObject({ active: true, scope: 'openid name' })
    const next = await (await refresh(given.refresh_token)).json()
    expect([next.scope, scopeOf(next.access_token)]).toEqual(['openid name', 'openid name'])
    expect(decodeJwt(given.id_token).locale).toBe('ja')
    expect(decodeJwt(next.id_token).locale).toBeUndefined()
  })

  it('is left out of a refresh that still names it, while a scope that was never granted is rejected', async () => {
    const { given, register, refresh } = await setUp(['openid', 'name', 'locale'])
    await register(['openid', 'name'])
    expect(await refusal(refresh(given.refresh_token, { scope: 'openid email' }))).toBe('400 invalid_scope')
    const next = await (await refresh(given.refresh_token, { scope: 'openid name locale' })).json()
    expect([next.scope, scopeOf(next.access_token)]).toEqual(['openid name', 'openid name'])
  })

  it('is left out of the tokens of an earlier code', async () => {
    const { register, approve, exchange } = await setUp(['openid'])
    const code = await approve({ scopes: ['openid', 'name', 'email'] })
    await register(['openid', 'name'])
    const given = await (await exchange(code)).json()
    expect([given.scope, scopeOf(given.access_token)]).toEqual(['openid name', 'openid name'])
  })

  it.each([
    ['with its nine', ['openid', 'profile', ...nine]],
    ['alone, as old tokens hold it', ['openid', 'profile']],
  ])('keeps the rest of a bundle that was granted %s', async (_, scopes) => {
    const { given, register, claims, tell, refresh } = await setUp(scopes)
    expect(await tell(given.access_token)).toMatchObject({ scope: scopes.join(' ') })
    await register(['openid', 'name', 'locale'])
    const shown = await claims(given.access_token)
    expect([shown.name, shown.locale, shown.preferred_username]).toEqual(['Ada L.', 'ja', ''])
    for (const token of [given.access_token, given.refresh_token])
      expect(await tell(token)).toMatchObject({ scope: 'openid name locale' })
    const next = await (await refresh(given.refresh_token, { scope: 'openid profile' })).json()
    expect(next.scope).toBe('openid name locale')
  })

  it('returns with the registration, for the same grant', async () => {
    const { given, register, claims, refresh } = await setUp(['openid', 'name', 'locale'])
    await register(['openid'])
    const narrow = await (await refresh(given.refresh_token)).json()
    expect(narrow.scope).toBe('openid')
    await register(['openid', 'name', 'locale'])
    // The token that was minted while the scope was removed does not regain it.
    expect((await claims(narrow.access_token)).locale).toBe('')
    expect((await (await refresh(narrow.refresh_token)).json()).scope).toBe('openid name locale')
  })

  it('blocks all tokens while it is openid, without spending them', async () => {
    const { given, register, tell, refresh, ...postern } = await setUp(['openid', 'name'])
    const code = await postern.approve({ scopes: ['openid', 'name'] })
    const { prisma } = postern.context.database
    // A provisioning file must have openid; the row in the database can lack it.
    await prisma.app.update({ where: { id: 'acme-web' }, data: { scopes: 'name' } })
    expect((await postern.userinfo(given.access_token)).status).toBe(403)
    for (const token of [given.access_token, given.refresh_token])
      expect(await tell(token)).toStrictEqual({ active: false })
    expect(await refusal(refresh(given.refresh_token))).toBe('400 invalid_grant')
    expect(await refusal(postern.exchange(code))).toBe('400 invalid_grant')
    await register(['openid', 'name'])
    expect([(await refresh(given.refresh_token)).status, (await postern.exchange(code)).status]).toEqual([200, 200])
  })
})

describe('the account’s page about an app', () => {
  it('asks only for scopes that the app may still have, and keeps earlier decisions about the others', () => {
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
