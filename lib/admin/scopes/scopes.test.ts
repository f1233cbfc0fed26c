import { describe, expect, it } from 'vitest'
import { answerAppChange } from '#lib/console/app/change-app'
import { findRefusal } from '#lib/console/app/scope-refusal'
import { openOperators } from '#lib/testing/admin/operators'
import { recordedAt } from '#lib/testing/admin/recorded-at'
import { openApi } from '#lib/testing/console/api'
import { openApps } from '#lib/testing/console/apps'
import { openRegistration } from '#lib/testing/console/registration'
import { kinds } from '#lib/testing/databases/databases'
import { ask } from '#lib/testing/oauth/authorize'
import { openPostern } from '#lib/testing/process/postern'
import { sharePostern } from '#lib/testing/process/share-postern'
import { answerScopeDecision } from './decide-scopes.ts'

const shown = ['name', 'redirect_uris', 'scopes', 'email']
const asking = { scopes: ['name', 'gender', 'region'] }

describe.each(kinds)('the review of sensitive scopes on %s', (kind) => {
  const postern = sharePostern({ kind, env: { TEAMS: 'open', SENSITIVE_SCOPES: 'review' } })
  const { newOperator, newcomer } = openOperators(postern)
  const { member, register, found, send } = openApps(postern)
  type Account = Awaited<ReturnType<typeof newOperator>>

  const newApp = async (fields = asking) => (await register(await member(), fields)).id
  const queued = async (id: string) => (await postern.context.scopeQueue.list(100)).find((one) => one.id === id)
  /** Sends the form of the queue; returns the message or the problem. */
  const decide = async (account: Account, fields: Record<string, string>, scopes = ['gender', 'region']) => {
    const body = new URLSearchParams({ of: 'app', decision: 'approve', reason: '', ...fields })
    for (const scope of scopes) body.append('scope', scope)
    const answer = await account.post(answerScopeDecision, body)
    const flash = await account.flashOf(answer, 'admin-scopes')
    return flash?.done ?? flash?.problems.map(({ field = '', code }) => `${field} ${code}`.trim()).join(' ')
  }
  const versionOf = async (id: string) => ({ id, version: (await found(id)).version })
  const lines = async (id: string) =>
    (await postern.context.operatorRecord.list({}, undefined, 200)).filter(({ target }) => target === id)

  it('lets new sensitive scopes wait, and allows the others', async () => {
    const id = await newApp()
    const app = await found(id)
    expect([app.scopes, app.waitingScopes]).toEqual([
      ['openid', 'name', 'email'],
      ['gender', 'region'],
    ])
    // Asking for a scope that waits has the answer of a scope that is not registered.
    const asked = { client_id: id, redirect_uri: 'https://acme.example/cb', scope: 'openid name gender' }
    expect((await ask(postern.context, asked)).accepted?.scopes).toEqual(['openid', 'name'])
    expect(app.declaration.scopes).toEqual(['openid', 'name', 'email', 'gender', 'region'])
    expect(await queued(id)).toMatchObject({ of: 'app', name: 'New App', scopes: ['gender', 'region'] })
    const [act] = await postern.context.acts.list('acme', undefined, 1)
    expect(act).toMatchObject({ kind: 'app_registered', after: { waiting_scopes: 'gender region' } })
  })

  it('approves scopes, and the team reads it without the name of the operator', async () => {
    const [operator, id] = [await newOperator(), await newApp()]
    expect(await decide(operator, await versionOf(id), ['gender'])).toBe('scopes_approved')
    expect(await found(id)).toMatchObject({ waitingScopes: ['region'], scopes: ['openid', 'name', 'gender', 'email'] })
    postern.later(1)
    expect(await decide(operator, await versionOf(id), ['region'])).toBe('scopes_approved')
    expect(await queued(id)).toBeUndefined()
    const [act] = await postern.context.acts.list('acme', undefined, 1)
    expect(act).toMatchObject({ kind: 'scopes_approved', actor: '', target: id, after: { scopes: 'region' } })
    expect(await lines(id)).toMatchObject([
      { kind: 'scopes_approved', actor: operator.username, details: 'region' },
      { kind: 'scopes_approved', actor: operator.username, details: 'gender' },
    ])
  })

  it('refuses scopes with a reason, which the page of the app shows until they are asked for again', async () => {
    const [operator, developer] = [await newOperator(), await member()]
    const { id } = await register(developer, asking)
    const fields = { ...(await versionOf(id)), decision: 'refuse' }
    expect(await decide(operator, fields)).toBe('reason reason_missing')
    expect(await decide(operator, { ...fields, reason: 'not needed' })).toBe('scopes_refused')
    const refused = async () => findRefusal(postern.context, 'acme', { ...(await found(id)), target: id })
    expect(await refused()).toEqual({ scopes: ['gender', 'region'], reason: 'not needed' })
    const app = await found(id)
    expect([app.waitingScopes, app.declaration.scopes]).toEqual([[], ['openid', 'name', 'email']])
    const again = { app: id, version: app.version, shown, name: 'New App', email: 'none', ...asking }
    await send(developer, answerAppChange, { ...again, redirect_uris: 'https://a.example/' }, 'app')
    expect(await refused()).toBeUndefined()
    expect((await found(id)).waitingScopes).toEqual(['gender', 'region'])
  })

  it('keeps scopes that the app may ask for already, and drops those that the team removes', async () => {
    const [operator, developer] = [await newOperator(), await member()]
    const { id } = await register(developer, asking)
    await decide(operator, await versionOf(id), ['gender'])
    const save = async (scopes: string[]) => {
      const fields = { app: id, version: (await found(id)).version, shown, name: 'New App', email: 'none', scopes }
      return (await send(developer, answerAppChange, { ...fields, redirect_uris: 'https://a.example/' }, 'app')).result
    }
    expect(await save(['gender', 'birthdate'])).toBe('changed')
    expect(await found(id)).toMatchObject({ scopes: ['openid', 'gender'], waitingScopes: ['birthdate'] })
    await save([])
    expect([(await found(id)).waitingScopes, await queued(id)]).toEqual([[], undefined])
    // A scope that was given up needs a new approval.
    await save(['gender'])
    expect((await found(id)).waitingScopes).toEqual(['gender'])
  })

  it('records one of eight equal decisions at once', async () => {
    const [operator, id] = [await newOperator(), await newApp()]
    const fields = await versionOf(id)
    const results = await Promise.all(Array.from({ length: 8 }, () => decide(operator, fields)))
    expect(new Set(results)).toEqual(new Set(['scopes_approved']))
    expect(await lines(id)).toHaveLength(1)
  })

  it('lets one of two operators decide, and tells the other', async () => {
    const [one, other, id] = [await newOperator(), await newOperator(), await newApp()]
    const fields = await versionOf(id)
    const results = await Promise.all([
      decide(one, fields),
      decide(other, { ...fields, decision: 'refuse', reason: 'no' }),
    ])
    expect(results.filter((result) => result === 'scopes_stale')).toHaveLength(1)
    expect(await lines(id)).toHaveLength(1)
    const isApproved = results[0] === 'scopes_approved'
    expect((await found(id)).scopes.includes('gender')).toBe(isApproved)
  })

  it('leaves out the apps of a closed team, and those that are being deleted', async () => {
    const [id, deleted] = [await newApp(), await newApp()]
    const { operatorTeams, scopeQueue, now } = postern.context
    const before = await scopeQueue.count()
    const removeAfter = new Date(now().getTime() + 86_400_000)
    await postern.context.database.prisma.app.update({ where: { id: deleted }, data: { removeAfter } })
    expect([await queued(deleted), await scopeQueue.count()]).toEqual([undefined, before - 1])
    await operatorTeams.setTeamClosed('acme', true, recordedAt(now()))
    expect([await queued(id), await scopeQueue.count()]).toEqual([undefined, 0])
    await operatorTeams.setTeamClosed('acme', false, recordedAt(now()))
    expect([(await queued(id))?.scopes, await scopeQueue.count()]).toEqual([['gender', 'region'], before - 1])
  })

  it('decides nothing about an app that its team has changed or that is deleted', async () => {
    const [operator, developer] = [await newOperator(), await member()]
    const { id } = await register(developer, asking)
    const before = await versionOf(id)
    postern.later(1)
    const saved = { app: id, ...before, shown, name: 'A Bank', email: 'none', ...asking }
    await send(developer, answerAppChange, { ...saved, redirect_uris: 'https://a.example/' }, 'app')
    expect(await decide(operator, before)).toBe('scopes_stale')
    const after = await versionOf(id)
    await postern.context.database.prisma.app.delete({ where: { id } })
    expect(await decide(operator, after)).toBe('scopes_unknown')
    expect(await lines(id)).toEqual([])
  })

  it('does not let an older form of the team ask again for what was refused', async () => {
    const [operator, developer] = [await newOperator(), await member()]
    const { id } = await register(developer, asking)
    const before = await versionOf(id)
    await decide(operator, { ...before, decision: 'refuse', reason: 'no' })
    const form = { app: id, ...before, shown, name: 'New App', email: 'none', ...asking }
    const sent = await send(developer, answerAppChange, { ...form, redirect_uris: 'https://a.example/' }, 'app')
    expect([sent.result, (await found(id)).waitingScopes]).toEqual(['app_stale', []])
  })

  it('changes nothing for hostile forms', async () => {
    const [operator, stranger] = [await newOperator(), await newcomer(['pwd', 'mfa'])]
    const id = await newApp()
    const fields = await versionOf(id)
    for (const scopes of [['birthdate'], ['profile'], ['gender', 'admin'], ['__proto__'], ['x'.repeat(50_000)]])
      expect(await decide(operator, fields, scopes)).toBe('scopes_stale')
    expect(await decide(operator, fields, [])).toBe('scopes_missing')
    for (const wrong of [{ of: 'team' }, { decision: 'both' }, { version: 'soon' }, { version: '' }])
      expect(await decide(operator, { ...fields, ...wrong })).toBe('scopes_stale')
    for (const unknown of ['', "' OR 1=1", 'x'.repeat(50_000)])
      expect(await decide(operator, { ...fields, id: unknown })).toMatch(/scopes_(unknown|stale)/)
    expect(await decide(stranger, fields)).toBe('')
    const forged = { of: 'app', decision: 'approve', scope: 'gender', ...fields }
    await operator.fill(answerScopeDecision, forged, { 'sec-fetch-site': 'cross-site' })
    expect((await found(id)).waitingScopes).toEqual(['gender', 'region'])
  })

  it('reviews the scopes of the JSON API', async () => {
    const { makeToken, send: call } = openApi(postern)
    const token = await makeToken(await member(), 'acme', ['read', 'apps'])
    const body = {
      name: 'By API',
      kind: 'public',
      redirect_uris: ['https://a.example/'],
      scopes: ['openid', 'profile'],
    }
    const made = await call(token, 'POST', '/apps', { body })
    expect(made.json).toMatchObject({ scopes: ['openid', 'profile'], waiting_scopes: ['profile'] })
    expect(await queued(String(made.json.client_id))).toMatchObject({ scopes: ['profile'] })
    const answer = await call(token, 'PATCH', `/apps/${made.json.client_id}`, {
      body: { scopes: ['openid', 'gender', 'name'] },
      headers: { 'if-match': String(made.json.etag) },
    })
    expect(answer.json).toMatchObject({ scopes: ['openid', 'name', 'gender'], waiting_scopes: ['gender'] })
  })

  it('reviews the scopes of dynamic registration, also when the client repeats its metadata', async () => {
    const { makeInitial, register: registerBy, send: call } = openRegistration(postern)
    const initial = await makeInitial(await member('owner'))
    const sent = { redirect_uris: ['https://a.example/'], scope: 'openid name gender' }
    const { body } = await registerBy(initial, sent)
    expect(body).toMatchObject({ scope: 'openid name', waiting_scope: 'gender' })
    const fromServer = ['registration_access_token', 'registration_client_uri', 'client_secret', 'client_id_issued_at']
    const left = Object.entries(body).filter(
      ([name]) => !fromServer.includes(name) && !name.startsWith('client_secret'),
    )
    const path = `/register/${body.client_id}`
    const again = await call('PUT', path, String(body.registration_access_token), Object.fromEntries(left))
    expect(again.body).toMatchObject({ scope: 'openid name', waiting_scope: 'gender' })
    const { waiting_scope: _, ...without } = Object.fromEntries(left)
    const dropped = await call('PUT', path, String(body.registration_access_token), without)
    expect([dropped.body.scope, dropped.body.waiting_scope]).toEqual(['openid name', undefined])
    expect(await queued(String(body.client_id))).toBeUndefined()
  })
})

it('allows sensitive scopes at once where they are not reviewed', async () => {
  const postern = await openPostern({ env: { TEAMS: 'open' } })
  const { member, register, found } = openApps(postern)
  const { id } = await register(await member(), asking)
  expect(await found(id)).toMatchObject({ scopes: ['openid', 'name', 'gender', 'region', 'email'], waitingScopes: [] })
  await postern.close()
})
