import { describe, expect, it } from 'vitest'
import { answerAppState } from '#lib/console/app/app-state'
import { answerTeamLeave } from '#lib/console/team/members'
import { answerTeamRename } from '#lib/console/team/rename-team'
import { openOperators } from '#lib/testing/admin/operators'
import { openApi } from '#lib/testing/console/api'
import { openApps } from '#lib/testing/console/apps'
import { openTransfers } from '#lib/testing/console/transfers'
import { getTokens } from '#lib/testing/oauth/get-tokens'
import { kinds } from '#lib/testing/process/databases'
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
    expect((await rename()).result).toBe('not_allowed')
    for (const app of ['acme-web', 'acme-spa'])
      expect((await send(owner, answerAppState, { app, state: 'enabled' }, 'app')).result).toBe('not_allowed')
    expect((await call(token, 'GET', '/apps')).status).toBe(200)
    expect((await call(token, 'POST', '/apps/acme-web/enable')).status).toBe(403)
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
