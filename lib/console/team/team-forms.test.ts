import { describe, expect, it } from 'vitest'
import { invitationHash } from '#lib/account/person/invitation'
import { recordedAt } from '#lib/testing/admin/recorded-at'
import { openTeams } from '#lib/testing/console/teams'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'
import { answerNewTeam } from './create-team.ts'
import { answerInvitationWithdrawal, answerInvite, answerJoin } from './invitations.ts'
import { answerMemberRole, answerTeamLeave } from './members.ts'
import { answerTeamRename } from './rename-team.ts'

const handlers = {
  answerTeamRename,
  answerInvite,
  answerInvitationWithdrawal,
  answerMemberRole,
  answerTeamLeave,
}

describe.each(kinds)('the forms of a team on %s', (kind) => {
  const postern = sharePostern({ kind, env: { TEAMS: 'open' } })
  const { newcomer, create, result, invite, teamWith, roleOf, addApp } = openTeams(postern)
  const acts = (id: string) => postern.context.acts.list(id, undefined, 100)

  it.each(Object.entries(handlers))('%s answers a hostile team id with a page that answers 404', async (_, handler) => {
    const owner = await newcomer()
    const { id } = await create(owner)
    for (const team of ['', '../../account', '%2e%2e', 'x'.repeat(50_000), '{}', 'é', "' OR 1=1", '__proto__']) {
      const answer = await owner.fill(handler, { team, name: 'Mine', role: 'owner', member: owner.username })
      expect([answer.status, answer.headers.get('location')]).toEqual([
        303,
        expect.stringMatching(/^\/console\/teams\/[\w%.'-]*(\/(members|settings))?$/),
      ])
    }
    expect(await roleOf(id, owner)).toBe('owner')
    expect(await acts(id)).toHaveLength(1)
  })

  it('rejects every form that another site posts, or that lacks the token where a browser sends no origin', async () => {
    const { owner, member, id } = await teamWith('viewer')
    const key = await invite(owner, id, 'owner')
    const fields = { team: id, name: 'Forged', role: 'owner', member: member.username, key: key ?? '' }
    for (const handler of [...Object.values(handlers), answerNewTeam, answerJoin])
      for (const site of ['cross-site', 'same-site', '']) {
        const answer = await owner.fill(handler, fields, { 'sec-fetch-site': site })
        expect(answer.headers.get('location')).toContain('/error?e=')
      }
    expect(await roleOf(id, member)).toBe('viewer')
    expect((await acts(id)).map(({ kind: act }) => act).sort()).toEqual([
      'member_invited',
      'member_invited',
      'member_joined',
      'team_created',
    ])
  })

  it('reads the first of two team ids for the permission and for the change', async () => {
    const { member, id } = await teamWith('viewer')
    const own = await create(member)
    const fields = new URLSearchParams([
      ['team', own.id],
      ['team', id],
      ['name', `Renamed ${id}`],
    ])
    await member.post(answerTeamRename, fields)
    expect((await postern.context.teams.findTeam(id, member.personId))?.name).not.toBe(`Renamed ${id}`)
    expect((await postern.context.teams.findTeam(own.id, member.personId))?.name).toBe(`Renamed ${id}`)
  })

  it('withdraws no invitation of another team, and names the address from the invitation', async () => {
    const { owner, id } = await teamWith('viewer')
    const other = await newcomer()
    const { id: otherTeam } = await create(other)
    await invite(owner, id, 'developer', `guest-${id}@example.org`)
    const [open] = await postern.context.teams.listInvitations(id, postern.context.now())
    const withdraw = { invitation: open?.id ?? '', address: 'forged@example.org' }
    await other.fill(answerInvitationWithdrawal, { team: otherTeam, ...withdraw })
    expect(await postern.context.teams.listInvitations(id, postern.context.now())).toHaveLength(1)
    await owner.fill(answerInvitationWithdrawal, { team: id, ...withdraw })
    expect((await acts(id)).find(({ kind: act }) => act === 'invitation_withdrawn')).toMatchObject({
      target: `guest-${id}@example.org`,
      before: { role: 'developer' },
    })
  })

  it('sends an address at most ten invitations in a day, from all people, and a person at most thirty', async () => {
    const address = `often-${kind}@example.org`
    const [one, other] = [await newcomer(), await newcomer()]
    const [first, second] = [await create(one), await create(other)]
    for (let n = 0; n < 5; n++) expect(await invite(one, first.id, 'viewer', address)).toBe('invited')
    for (let n = 0; n < 5; n++) expect(await invite(other, second.id, 'viewer', address.toUpperCase())).toBe('invited')
    expect(await invite(one, first.id, 'viewer', address)).toBe('invitations_wait')
    expect(await invite(one, first.id, 'viewer')).toMatch(/^[\w-]{43}$/)
    const results = await Promise.all(
      Array.from({ length: 26 }, (_, n) => invite(one, first.id, 'viewer', `n${n}-${kind}@example.org`)),
    )
    expect(results.filter((result) => result === 'invited')).toHaveLength(24)
  })

  it('keeps the typed fields while the owner signs in again', async () => {
    const { owner, member, id } = await teamWith('viewer')
    postern.later(3600)
    const invited = await owner.fill(answerInvite, { team: id, role: 'owner', address: 'new@example.org' })
    expect(invited.headers.get('location')).toBe(`/signin?to=%2Fconsole%2Fteams%2F${id}%2Fmembers&fresh=1`)
    expect((await owner.flashOf(invited, 'invite'))?.kept).toEqual({ role: 'owner', address: 'new@example.org' })
    const changed = await owner.fill(answerMemberRole, { team: id, member: member.username, role: 'owner' })
    expect((await owner.flashOf(changed, 'members'))?.kept).toEqual({ member: member.username, role: 'owner' })
    expect(await roleOf(id, member)).toBe('viewer')
  })

  it('answers a double submit of an invitation like the first one', async () => {
    const [owner, guest] = [await newcomer(), await newcomer()]
    const { id } = await create(owner)
    const key = (await invite(owner, id, 'viewer')) ?? ''
    const answers = await Promise.all(Array.from({ length: 8 }, () => guest.fill(answerJoin, { key, team: id })))
    for (const answer of answers) expect(await result(guest, answer, 'join')).toBe('joined')
    expect((await acts(id)).filter((act) => act.kind === 'member_joined')).toHaveLength(1)
    const stranger = await newcomer()
    const refused = await stranger.fill(answerJoin, { key, team: id })
    expect(await result(stranger, refused, 'join')).toBe('invitation_over')
    expect(refused.headers.get('location')).toBe(`/console/join?key=${key}`)
  })

  it('leads a visitor without a session to the sign-in and back', async () => {
    const visitor = await newcomer()
    const answer = await visitor.fill(answerJoin, { key: 'k' }, { cookie: '' })
    expect(answer.headers.get('location')).toBe('/signin?to=%2Fconsole%2Fjoin%3Fkey%3Dk')
    const renamed = await visitor.fill(answerTeamRename, { team: 't' }, { cookie: '' })
    expect(renamed.headers.get('location')).toBe('/signin?to=%2Fconsole%2Fteams%2Ft%2Fsettings')
  })

  it('lists apps by client_id, in pages', async () => {
    const owner = await newcomer()
    const { id } = await create(owner)
    for (const name of ['c', 'a', 'b']) await addApp(id, `${id}-${name}`, name === 'b' ? new Date() : null)
    const first = await postern.context.teams.listApps(id, '', 2)
    expect(first).toMatchObject([
      { id: `${id}-a`, isDisabled: false },
      { id: `${id}-b`, isDisabled: true },
    ])
    expect(await postern.context.teams.listApps(id, `${id}-b`, 2)).toMatchObject([{ id: `${id}-c`, kind: 'public' }])
    const search = async (text: string, after = '') =>
      (await postern.context.teams.listApps(id, after, 2, text)).map((app) => app.id)
    expect(await search('APP')).toEqual([`${id}-a`, `${id}-b`])
    expect(await search('ＡＰＰ', `${id}-b`)).toEqual([`${id}-c`])
    expect(await search(`${id}-B`.toUpperCase())).toEqual([`${id}-b`])
    expect(await search('%')).toEqual([])
    expect(await postern.context.teams.findTeam(id, owner.personId)).toMatchObject({ apps: 3, members: 1 })
    for (const after of ['x'.repeat(10_000), "' OR 1=1", '\u{10ffff}'])
      expect((await postern.context.teams.listApps(id, after, 2)).every((app) => app.id > after)).toBe(true)
  })

  it('lists the audit trail in pages, and shows nothing of another team', async () => {
    const { owner, id } = await teamWith('viewer')
    const { id: other } = await teamWith('viewer')
    for (const name of ['One', 'Two']) await owner.fill(answerTeamRename, { team: id, name: `${name} ${id}` })
    const all = await acts(id)
    expect(all).toHaveLength(5)
    const paged = [
      ...(await postern.context.acts.list(id, undefined, 2)),
      ...(await postern.context.acts.list(id, all[1]?.id, 2)),
      ...(await postern.context.acts.list(id, all[3]?.id, 2)),
    ]
    expect(paged).toEqual(all)
    const foreign = (await acts(other)).map((act) => act.id)
    for (const cursor of [...foreign, '', 'x', 'x'.repeat(10_000)]) {
      const shown = await postern.context.acts.list(id, cursor, 10)
      expect(shown.filter((act) => !all.some((own) => own.id === act.id))).toEqual([])
    }
  })

  it('refuses a name like that of a team whose look-alike mark is unset', async () => {
    const now = postern.context.now()
    await postern.context.database.prisma.team.create({
      data: { id: `old-${kind}`, name: 'Old Garden', createdAt: now, updatedAt: now },
    })
    expect((await create(await newcomer(), 'O1d Garden')).problems).toEqual(['name_lookalike'])
    const owner = await newcomer()
    const { id } = await create(owner)
    const renamed = await owner.fill(answerTeamRename, { team: id, name: 'old-garden' })
    expect(await result(owner, renamed, 'team-name')).toBe('name_lookalike')
  })
})

describe('creating a team', () => {
  const postern = sharePostern({ env: { TEAMS: 'invite' } })
  const closed = sharePostern({ env: { TEAMS: 'off' } })
  const teams = openTeams(postern)
  const makeCode = async (code: string, purpose: 'account' | 'team', days = 1) => {
    const expiresAt = new Date(postern.context.now().getTime() + days * 86_400_000)
    const invitation = { hash: invitationHash(code), note: '', expiresAt, purpose }
    await postern.context.invitations.make(invitation, recordedAt(postern.context.now()))
    return code
  }

  it('uses up an invitation of the operator, where one is required', async () => {
    const { newcomer, result } = teams
    const person = await newcomer()
    const attempt = async (name: string, invitation: string) =>
      result(person, await person.fill(answerNewTeam, { name, invitation }), 'new-team')
    const code = await makeCode('abcd-abcd-abcd-abcd', 'team')
    expect(await attempt('Invited One', '')).toBe('invitation_missing')
    expect(await attempt('Invited One', 'x'.repeat(10_000))).toBe('invitation_wrong')
    expect(await attempt('Invited One', await makeCode('bbbb-abcd-abcd-abcd', 'account'))).toBe('invitation_wrong')
    expect(await attempt('Invited One', await makeCode('cccc-abcd-abcd-abcd', 'team', -1))).toBe('invitation_wrong')
    const both = await Promise.all([attempt('Invited One', code), attempt('Invited Two', code.toUpperCase())])
    expect(both.sort()).toEqual(['created', 'invitation_wrong'])
    expect(await postern.context.database.prisma.team.count({ where: { name: { startsWith: 'Invited' } } })).toBe(1)
  })

  it('keeps the invitation when the name is refused', async () => {
    const { newcomer, result } = teams
    const person = await newcomer()
    const attempt = async (name: string, invitation: string) =>
      result(person, await person.fill(answerNewTeam, { name, invitation }), 'new-team')
    expect(await attempt('Taken One', await makeCode('eeee-abcd-abcd-abcd', 'team'))).toBe('created')
    const invitation = await makeCode('dddd-abcd-abcd-abcd', 'team')
    expect(await attempt('taken 0ne', invitation)).toBe('name_lookalike')
    expect(await attempt('Another', invitation)).toBe('created')
  })

  it('is refused where the operator alone creates teams', async () => {
    const { newcomer, create } = openTeams(closed)
    expect((await create(await newcomer(), 'Closed')).problems).toEqual(['closed'])
  })
})
