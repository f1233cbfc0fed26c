import { describe, expect, it } from 'vitest'
import { answerAppDeletion, answerAppKeep, answerAppState } from '#lib/console/app/app-state'
import { answerAppRegistration } from '#lib/console/app/register-app'
import { answerTeamLeave } from '#lib/console/team/members'
import { answerTeamRename } from '#lib/console/team/rename-team'
import { openOperators } from '#lib/testing/admin/operators'
import { openApi } from '#lib/testing/console/api'
import { openApps, webApp } from '#lib/testing/console/apps'
import { openRegistration } from '#lib/testing/console/registration'
import { openTransfers } from '#lib/testing/console/transfers'
import { kinds } from '#lib/testing/databases/databases'
import { getTokens } from '#lib/testing/oauth/get-tokens'
import { sharePostern } from '#lib/testing/process/share-postern'
import { answerOperatorTeamState } from './close-and-open.ts'

describe.each(kinds)('a team that the operator closes on %s', (kind) => {
  const postern = sharePostern({ kind, env: { TEAMS: 'open' } })
  const { newOperator } = openOperators(postern)
  const { member, send } = openApps(postern)
  const { makeToken, send: call } = openApi(postern)
  const transfers = openTransfers(postern)

  const set = async (state: 'disabled' | 'enabled', { team = 'acme', reason = 'fraud' } = {}) => {
    const operator = await newOperator()
    const answer = await operator.fill(answerOperatorTeamState, { team, state, reason })
    const flash = await operator.flashOf(answer, 'admin-team')
    return flash?.done ?? flash?.problems.map(({ code }) => code).join(' ')
  }
  const stateOf = async (app: string) => (await postern.context.teamApps.find(app))?.disabledBy

  it('closes its apps at once, and opens those that it closed', async () => {
    const owner = await member('owner')
    await send(owner, answerAppState, { app: 'acme-spa', state: 'disabled' }, 'app')
    const tokens = await getTokens(postern)
    expect((await postern.userinfo(tokens.access_token)).status).toBe(200)
    expect(await set('disabled')).toBe('close_team')
    expect((await postern.userinfo(tokens.access_token)).status).toBe(401)
    expect([await stateOf('acme-web'), await stateOf('acme-spa'), await stateOf('other-web')]).toEqual([
      'operator',
      'team',
      null,
    ])
    postern.later(1)
    expect(await set('enabled', { reason: 'settled' })).toBe('open_team')
    expect([await stateOf('acme-web'), await stateOf('acme-spa')]).toEqual([null, 'team'])
    await send(owner, answerAppState, { app: 'acme-spa', state: 'enabled' }, 'app')
    const acts = await postern.context.acts.list('acme', undefined, 20)
    expect(acts.filter(({ kind: act }) => act.startsWith('team_')).slice(0, 2)).toMatchObject([
      { kind: 'team_opened', actor: '', after: { reason: 'settled' } },
      { kind: 'team_closed', actor: '', after: { reason: 'fraud' } },
    ])
  })

  it('lets its owner only look and leave, and its tokens only read', async () => {
    const owner = await member('owner')
    const token = await makeToken(owner, 'acme', ['read', 'apps', 'team'])
    await set('disabled')
    const rename = () => send(owner, answerTeamRename, { name: 'Still here' }, 'team-name')
    expect((await rename()).result).toBe('team_closed')
    for (const app of ['acme-web', 'acme-spa'])
      expect((await send(owner, answerAppState, { app, state: 'enabled' }, 'app')).result).toBe('team_closed')
    expect((await call(token, 'GET', '/apps')).status).toBe(200)
    const { json } = await call(token, 'POST', '/apps/acme-web/enable')
    expect(json).toMatchObject({ status: 403, code: 'team_closed' })
    expect(await postern.context.teams.findTeam('acme', owner.personId)).toMatchObject({ isClosed: true })
    expect((await send(owner, answerTeamLeave, {}, 'members')).result).toBe('last_owner')
    await set('enabled')
    expect((await call(token, 'POST', '/apps/acme-web/enable')).status).toBe(200)
  })

  it('neither gives an app away nor opens one that it received', async () => {
    const { app, member: owner, offer, openOffer, accept, settle } = transfers
    const [giver, receiver, arriving] = [await owner('g30'), await owner('r30'), await app('g30')]
    await offer(giver, 'g30', arriving, 'r30')
    await accept(receiver, 'r30', await openOffer(arriving))
    const leaving = await app('r30')
    await offer(receiver, 'r30', leaving, 'g30')
    expect(await set('disabled', { team: 'r30' })).toBe('close_team')
    expect(await postern.context.transfers.findOpen(leaving, postern.context.now())).toBeUndefined()
    await settle()
    expect(await stateOf(arriving)).toBe('team')
  })

  it('neither opens nor registers an app by a form that its owner sent before', async () => {
    const owner = await member('owner')
    const [web, spa] = ['acme-web', 'acme-spa']
    await send(owner, answerAppState, { app: spa, state: 'disabled' }, 'app')
    await send(owner, answerAppDeletion, { app: web, confirm: 'Acme Web' }, 'app')
    /** Closes the team after a handler has found that its member may act, and before the handler writes. */
    const whileClosing =
      (handler: typeof answerAppState): typeof answerAppState =>
      (context, request) => {
        const findTeam: typeof context.teams.findTeam = async (...about) => {
          const found = await context.teams.findTeam(...about)
          await set('disabled')
          return found
        }
        return handler({ ...context, teams: { ...context.teams, findTeam } }, request)
      }
    const late = async (handler: typeof answerAppState, fields: Record<string, string | string[]>, form: string) => {
      const { result } = await send(owner, whileClosing(handler), fields, form)
      const isOpen = { teamId: 'acme', disabledAt: null }
      expect(await postern.context.database.prisma.app.count({ where: isOpen })).toBe(0)
      await set('enabled')
      return result
    }
    await late(answerAppState, { app: spa, state: 'enabled' }, 'app')
    await late(answerAppKeep, { app: web }, 'app')
    expect(await late(answerAppRegistration, webApp, 'new-app')).toBe('team_closed')
    await send(owner, answerAppState, { app: spa, state: 'enabled' }, 'app')
    await send(owner, answerAppKeep, { app: web }, 'app')
    expect([await stateOf(web), await stateOf(spa)]).toEqual([null, null])
  })

  it('keeps the registrations of apps that registered themselves as they are', async () => {
    const registration = openRegistration(postern)
    const initial = await registration.makeInitial(await member('owner'))
    const metadata = { client_name: 'Robot', redirect_uris: ['https://acme.example/cb'] }
    const { body: made } = await registration.register(initial, metadata)
    const [path, token] = [`/register/${made.client_id}`, String(made.registration_access_token)]
    await set('disabled')
    expect((await registration.register(initial, metadata)).status).toBe(401)
    const sent = { ...metadata, client_id: made.client_id, client_name: 'Other' }
    expect(await registration.send('PUT', path, token, sent)).toMatchObject({
      status: 403,
      body: { error: 'access_denied' },
    })
    expect((await registration.send('GET', path, token)).body).toMatchObject({ client_name: 'Robot' })
    await set('enabled')
    expect((await registration.send('PUT', path, token, sent)).body).toMatchObject({ client_name: 'Other' })
  })

  it('is closed once by eight equal forms, and not without a reason', async () => {
    expect(await set('disabled', { reason: ' ' })).toBe('reason_missing')
    expect(await set('disabled', { team: 'no-such-team' })).toBe('')
    const before = await postern.context.acts.list('other', undefined, 100)
    const closed = await Promise.all(Array.from({ length: 8 }, () => set('disabled', { team: 'other' })))
    expect(closed).toEqual(Array(8).fill('close_team'))
    expect(await postern.context.acts.list('other', undefined, 100)).toHaveLength(before.length + 1)
    const lines = await postern.context.operatorRecord.list({}, undefined, 100)
    expect(lines.filter(({ target }) => target === 'other').map((line) => line.kind)).toEqual(['team_closed'])
  })
})
