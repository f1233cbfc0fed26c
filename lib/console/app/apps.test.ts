import { describe, expect, it } from 'vitest'
import { operatorAct } from '#lib/cli/operator-act'
import { sha256 } from '#lib/crypto/hash'
import { makeAppStore } from '#lib/db/apps/app-store'
import { operatorApps } from '#lib/db/console/operator-apps'
import { eraseApps } from '#lib/server/jobs/erase-apps'
import { openApps, webApp } from '#lib/testing/console/apps'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'
import { answerAppDeletion, answerAppKeep, answerAppState, appGraceDays } from './app-state.ts'
import { answerAuthMethod } from './auth-method.ts'
import { answerAppChange } from './change-app.ts'
import { answerSecretAddition, answerSecretRemoval } from './credentials.ts'

describe.each(kinds)('apps in the console on %s', (kind) => {
  const postern = sharePostern({ kind, env: { TEAMS: 'open' } })
  const prisma = () => postern.context.database.prisma
  const { member, send, register, found, change } = openApps(postern)

  it('registers an app, shows its secret once, and the secret authenticates the app', async () => {
    const { id, result, flash } = await register(await member())
    expect(result).toBe('registered')
    const secret = flash?.kept.secret ?? ''
    expect((await postern.context.oauth.store.findClient(id))?.secrets.map(({ hash }) => hash)).toEqual([
      sha256(secret),
    ])
    expect((await found(id)).declaration).toMatchObject({
      redirect_uris: ['https://acme.example/cb', 'https://acme.example/cb2'],
      scopes: ['openid', 'name', 'email'],
    })
  })

  it.each([
    [{ name: '' }, 'name rule'],
    [{ redirect_uris: '' }, 'redirect_uris rule'],
    [{ redirect_uris: 'https://a.example/#x' }, 'redirect_uris rule'],
    [{ redirect_uris: 'https://a.example/a\nftp://b' }, 'redirect_uris rule'],
    [{ kind: 'god' }, 'kind rule'],
    [{ kind: '' }, 'kind rule'],
    [{ scopes: ['name', 'everything'] }, 'scopes rule'],
    [{ name: 'x'.repeat(10_000) }, 'name rule'],
  ])('refuses %j beside its field, and keeps what was typed', async (wrong, problem) => {
    const { result, flash } = await register(await member(), wrong)
    expect(result).toContain(problem)
    if (!('redirect_uris' in wrong)) expect(flash?.kept.redirect_uris).toContain('https://acme.example/cb2')
  })

  it('names the line of a wrong redirect URI, with the sentence of the rule', async () => {
    const { flash } = await register(await member(), { redirect_uris: 'https://a.example/a\nhttps://b.example/#x' })
    expect(flash?.problems).toMatchObject([
      { field: 'redirect_uris', line: 2, text: expect.stringContaining('fragment') },
    ])
  })

  it('changes the fields that the form shows, and no other', async () => {
    const account = await member()
    const { id } = await register(account)
    expect((await change(account, id, { shown: ['name'], name: 'Other' })).result).toBe('changed')
    expect((await found(id)).declaration).toMatchObject({
      name: 'Other',
      scopes: ['openid', 'name', 'email'],
      email: 'optional',
    })
    expect((await change(account, id, { shown: ['scopes', 'email'], email: 'none' })).result).toBe('changed')
    expect((await found(id)).declaration).toMatchObject({ name: 'Other', scopes: ['openid'], email: 'none' })
  })

  it('changes nothing that decides how the app authenticates, although a form shows it', async () => {
    const account = await member()
    const { id } = await register(account)
    const before = (await found(id)).declaration
    const hostile = { kind: 'public', jwks_uri: 'https://evil.example/jwks', client_secret: 'x'.repeat(20) }
    const shown = [...Object.keys(hostile), 'client_id', 'jwks', 'token_endpoint_auth_method', 'name', '__proto__']
    expect((await change(account, id, { shown, ...hostile, name: 'New App' })).result).toBe('changed')
    expect((await found(id)).declaration).toEqual(before)
  })

  it('asks for a recent sign-in before it registers an app, and keeps what was typed', async () => {
    const account = await member()
    postern.later(3600)
    const { to, flash } = await register(account)
    expect(to).toContain('/signin?')
    expect(new URLSearchParams(to?.split('?')[1]).get('to')).toBe('/console/teams/acme/new-app?kind=confidential')
    expect(flash?.kept).toMatchObject({
      name: 'New App',
      redirect_uris: expect.stringContaining('cb2'),
      email: 'optional',
    })
    expect(flash?.kept.scopes?.split('\n')).toEqual(['openid', 'name', 'email'])
  })

  it('no longer requires a scope that the app no longer asks for', async () => {
    const account = await member()
    const { id } = await register(account)
    await prisma().app.update({ where: { id }, data: { requiredScopes: 'openid name' } })
    expect((await change(account, id, { shown: ['scopes'], scopes: [] })).result).toBe('changed')
    expect((await found(id)).declaration).toMatchObject({ scopes: ['openid', 'email'], required_scopes: [] })
  })

  it('changes the advanced fields, and registers no default that the form only shows', async () => {
    const account = await member()
    const { id } = await register(account)
    const shown = ['required_scopes', 'id_token_signed_response_alg', 'id_token_claims', 'dpop_bound_access_tokens']
    const before = (await found(id)).declaration
    expect((await change(account, id, { shown, id_token_signed_response_alg: 'ES256' })).result).toBe('changed')
    expect((await found(id)).declaration).toEqual(before)
    const advanced = { required_scopes: ['name', 'gender'], flags: ['id_token_claims', 'client_id', '__proto__'] }
    const changed = await change(account, id, { shown, id_token_signed_response_alg: 'ES256', ...advanced })
    expect(changed.result).toBe('changed')
    // The app does not ask for gender.
    expect((await found(id)).declaration).toEqual({ ...before, required_scopes: ['name'], id_token_claims: true })
    expect((await change(account, id, { shown, id_token_signed_response_alg: 'RS256' })).result).toContain(
      'id_token_signed_response_alg rule',
    )
    expect((await change(account, id, { shown, id_token_signed_response_alg: 'ES256' })).result).toBe('changed')
    expect((await found(id)).declaration).toMatchObject({ required_scopes: [], id_token_claims: false })
  })

  it('changes how the app authenticates only after a recent sign-in, and to a method of its profile', async () => {
    const account = await member()
    const { id } = await register(account, { profile: 'oidc', shown: [...webApp.shown, 'profile'] })
    const set = async (method: string, one = account) =>
      (await send(one, answerAuthMethod, { app: id, token_endpoint_auth_method: method }, 'credentials')).result
    const stored = async () => (await found(id)).declaration.token_endpoint_auth_method
    expect([await set('any'), await stored()]).toEqual(['changed', undefined])
    expect([await set('client_secret_post'), await stored()]).toEqual(['changed', 'client_secret_post'])
    for (const wrong of ['none', 'private_key_jwt', 'any', '', 'x'.repeat(1000)])
      expect(await set(wrong)).toContain('token_endpoint_auth_method rule')
    expect(await set('client_secret_basic', await member('viewer', 'bob'))).toBe('not_allowed')
    postern.later(3600)
    await set('client_secret_basic')
    expect(await stored()).toBe('client_secret_post')
  })

  it('tells the second of two editors, and keeps what was typed', async () => {
    const account = await member()
    const { id } = await register(account)
    const { version } = await found(id)
    await change(account, id, { shown: ['name'], name: 'First' })
    const second = await change(account, id, { shown: ['name'], name: 'Second', version })
    expect([second.result, second.flash?.kept.name]).toEqual(['app_stale', 'Second'])
    expect((await found(id)).name).toBe('First')
    expect((await change(account, id, { shown: ['name'], name: 'X', version: 'soon' })).result).toBe('app_stale')
  })

  it('lets a viewer change nothing, and a stranger see nothing', async () => {
    const { id } = await register(await member())
    const viewer = await member('viewer', 'bob')
    expect((await register(viewer)).result).toBe('not_allowed')
    expect((await change(viewer, id, { shown: ['name'], name: 'X' })).result).toBe('not_allowed')
    expect((await send(viewer, answerSecretAddition, { app: id }, 'credentials')).result).toBe('not_allowed')
    expect(
      (await send(await member('developer'), answerAppDeletion, { app: id, confirm: 'New App' }, 'app')).result,
    ).toBe('not_allowed')
  })

  it("never changes another team's app through a member's own team", async () => {
    const account = await member('owner')
    const before = await found('other-web')
    for (const [handler, fields] of [
      [answerAppChange, { shown: 'name', name: 'Stolen', version: before.version }],
      [answerSecretAddition, {}],
      [answerSecretRemoval, { secret: before.secrets[0]?.id ?? '' }],
      [answerAppState, { state: 'disabled' }],
      [answerAppDeletion, { confirm: before.name }],
    ] as const) {
      expect((await send(account, handler, { app: 'other-web', ...fields }, 'app')).flash?.done).toBeUndefined()
    }
    expect(await found('other-web')).toEqual(before)
  })

  it('closes and opens an app, but does not open what the operator closed', async () => {
    const account = await member()
    const { id } = await register(account)
    const set = async (state: string) => (await send(account, answerAppState, { app: id, state }, 'app')).result
    expect([await set('disabled'), await set('disabled')]).toEqual(['disabled', 'disabled'])
    expect([await set('enabled'), await set('enabled')]).toEqual(['enabled', 'enabled'])
    const act = operatorAct({ now: postern.context.now(), random: postern.context.random }, 'app_disabled')
    await operatorApps(prisma()).setDisabled(id, true, act)
    expect(await set('enabled')).toBe('app_closed_by_operator')
    expect((await found(id)).disabledBy).toBe('operator')
  })

  it('deletes an app after 30 days, keeps it until then, and asks for its name', async () => {
    const owner = await member('owner')
    const { id } = await register(owner)
    const ask = async (confirm: string) => (await send(owner, answerAppDeletion, { app: id, confirm }, 'app')).result
    expect([await ask(''), await ask('x')]).toEqual(['confirm confirm_missing', 'confirm confirm_different'])
    expect(await ask('New App')).toBe('deleted')
    expect((await found(id)).disabledAt).not.toBeNull()
    expect((await send(owner, answerAppState, { app: id, state: 'enabled' }, 'app')).result).toBe('app_deleting')
    expect((await send(owner, answerAppKeep, { app: id }, 'app')).result).toBe('kept')
    expect(await found(id)).toMatchObject({ disabledAt: null, removeAfter: null })
    await ask('New App')
    const store = makeAppStore(prisma())
    const due = (await found(id)).removeAfter as Date
    await eraseApps(store, new Date(due.getTime() - 1000))
    expect((await found(id)).id).toBe(id)
    expect(due.getTime() - postern.context.now().getTime()).toBe(appGraceDays * 86_400_000)
    postern.later(appGraceDays * 86_400)
    expect((await send(await member('owner'), answerAppKeep, { app: id }, 'app')).result).toBe('app_gone')
    await eraseApps(store, due)
    expect(await postern.context.teamApps.find(id)).toBeUndefined()
  })
})
