import { describe, expect, it } from 'vitest'
import { sha256 } from '#lib/crypto/hash'
import { type Account, openTeams } from '#lib/testing/console/teams'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'
import { lettersTo } from '#lib/testing/relay/mail'
import { answerInvitationWithdrawal, answerInvite } from './invitations.ts'
import { answerMemberRole, answerTeamLeave } from './members.ts'
import { answerTeamRename } from './rename-team.ts'

describe.each(kinds)('teams on %s', (kind) => {
  const postern = sharePostern({ kind, env: { TEAMS: 'open' } })
  const teams = () => postern.context.teams
  const { newcomer, create, result, invite, join, teamWith, roleOf } = openTeams(postern)

  it('makes the creator of a team its owner, and writes the act', async () => {
    const owner = await newcomer()
    const { id, problems } = await create(owner, 'Acme Rockets')
    expect(problems).toEqual([])
    expect(await teams().listTeams(owner.personId)).toMatchObject([
      { id, name: 'Acme Rockets', role: 'owner', members: 1 },
    ])
    expect(await postern.context.acts.list(id, undefined, 10)).toMatchObject([
      { kind: 'team_created', actor: owner.username, after: { name: 'Acme Rockets' } },
    ])
  })

  it.each([
    ['', 'name_missing'],
    ['x'.repeat(300), 'name_long'],
    ['Postern Support', 'name_reserved'],
    ['Аcme', 'name_scripts'],
  ])('rejects the name %.20j', async (name, code) => {
    expect((await create(await newcomer(), name)).problems).toEqual([code])
  })

  it('rejects a look-alike of another name, also from one of eight at once', async () => {
    const owner = await newcomer()
    await create(owner, 'Northwind Inc')
    expect((await create(await newcomer(), 'N0RTHWlND lnc.')).problems).toEqual(['name_lookalike'])
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(owner, 'Eight At Once')))
    expect(answers.filter(({ id }) => id !== '')).toHaveLength(1)
  })

  it('lets nobody own more than twenty teams, also with eight requests at once', async () => {
    const owner = await newcomer()
    for (let n = 0; n < 18; n++) await create(owner, `Many ${String.fromCodePoint(0x5200 + n)}${owner.username}`)
    const names = Array.from({ length: 8 }, (_, n) => `More ${String.fromCodePoint(0x5300 + n)}${owner.username}`)
    const made = await Promise.all(names.map((name) => create(owner, name)))
    expect(made.filter(({ id }) => id !== '')).toHaveLength(2)
    expect(made.flatMap(({ problems = [] }) => problems)).toEqual(Array(6).fill('enough'))
  })

  it('lets a member join once by a link, whose secret is not stored', async () => {
    const [owner, member] = [await newcomer(), await newcomer()]
    const { id } = await create(owner)
    const key = await invite(owner, id, 'developer')
    const [row] = await postern.context.database.prisma.teamInvitation.findMany({ where: { teamId: id } })
    expect(JSON.stringify(row)).not.toContain(key)
    expect(row?.id).toBe(sha256(key ?? ''))
    expect(await join(member, key)).toBe('joined')
    expect(await roleOf(id, member)).toBe('developer')
    expect(await join(await newcomer(), key)).toBe('invitation_over')
  })

  it('admits one of eight people who use one link at once', async () => {
    const owner = await newcomer()
    const { id } = await create(owner)
    const key = await invite(owner, id, 'viewer')
    const people = await Promise.all(Array.from({ length: 8 }, newcomer))
    const joined = await Promise.all(people.map((person) => join(person, key)))
    expect(joined.filter((one) => one === 'joined')).toHaveLength(1)
    expect(await teams().listMembers(id)).toHaveLength(2)
  })

  it('sends a letter whose subject does not quote the name of the team', async () => {
    const owner = await newcomer()
    const { id } = await create(owner, `Buy now ${String.fromCodePoint(0x6100)}`)
    const address = `new-${kind}@example.org`
    expect(await invite(owner, id, 'viewer', address)).toBe('invited')
    await postern.context.letters.settled()
    const [letter] = await lettersTo(postern.context, address)
    expect(letter?.subject).not.toContain('Buy now')
    const key = /key=([\w-]{43})/.exec(letter?.text ?? '')?.[1]
    expect(await join(await newcomer(), key)).toBe('joined')
  })

  it('rejects an invitation that has expired or was withdrawn, and a broken key', async () => {
    const [owner, guest] = [await newcomer(), await newcomer()]
    const { id } = await create(owner)
    const key = await invite(owner, id, 'viewer')
    await owner.fill(answerInvitationWithdrawal, { team: id, invitation: sha256(key ?? '') })
    expect(await join(guest, key)).toBe('invitation_over')
    for (const broken of ['', 'x', 'x'.repeat(10_000), 'é']) expect(await join(guest, broken)).toBe('invitation_over')
  })

  it.each(['not an address', 'a@b', 'x'.repeat(300), 'a b@example.org', '<a@example.org>'])(
    'rejects the address %.20j',
    async (address) => {
      const owner = await newcomer()
      const { id } = await create(owner)
      expect(await invite(owner, id, 'viewer', address)).toBe('address_malformed')
    },
  )

  it('lets an owner change roles, and no one else', async () => {
    const { owner, member, id } = await teamWith('developer')
    const third = await newcomer()
    await join(third, await invite(owner, id, 'viewer'))
    const change = (by: Account, whom: { username: string }, role: string) =>
      by.fill(answerMemberRole, { team: id, member: whom.username, role })
    expect(await result(member, await change(member, third, 'owner'), 'members')).toBe('not_allowed')
    expect(await result(owner, await change(owner, third, 'developer'), 'members')).toBe('role')
    expect(await roleOf(id, third)).toBe('developer')
    expect(await result(owner, await change(owner, third, 'god'), 'members')).toBe('role_unknown')
    expect(await result(owner, await change(owner, { username: 'ada' }, 'viewer'), 'members')).toBe('member_gone')
    expect(await result(owner, await change(owner, third, 'none'), 'members')).toBe('removed')
    expect(await roleOf(id, third)).toBeUndefined()
    const kinds = (await postern.context.acts.list(id, undefined, 10)).map(
      ({ kind: act, target }) => `${act} ${target}`,
    )
    expect(kinds).toContain(`member_removed ${third.username}`)
  })

  it('never loses the last owner, also when two owners step back at once', async () => {
    const { owner, member, id } = await teamWith('owner')
    const leave = (account: Account) => account.fill(answerTeamLeave, { team: id })
    const answers = await Promise.all([leave(owner), leave(member)])
    const results = [await result(owner, answers[0], 'members'), await result(member, answers[1], 'members')]
    expect(results.sort()).toEqual(['last_owner', 'left'])
    expect((await teams().listMembers(id)).map(({ role }) => role)).toEqual(['owner'])
  })

  it('transfers ownership: a new owner, then the old one becomes a developer', async () => {
    const { owner, member, id } = await teamWith('viewer')
    const change = async (whom: { username: string }, role: string) =>
      result(owner, await owner.fill(answerMemberRole, { team: id, member: whom.username, role }), 'members')
    expect(await change(owner, 'developer')).toBe('last_owner')
    expect(await change(member, 'owner')).toBe('role')
    expect(await change(owner, 'developer')).toBe('role')
    expect([await roleOf(id, owner), await roleOf(id, member)]).toEqual(['developer', 'owner'])
    expect(await teams().soleOwnerOf(member.personId)).toMatchObject([{ id }])
  })

  it('shows a stranger the page of the team, which answers 404, and changes nothing', async () => {
    const { id } = await teamWith('viewer')
    const stranger = await newcomer()
    for (const [handler, fields] of [
      [answerTeamRename, { name: 'Stolen' }],
      [answerInvite, { role: 'owner' }],
      [answerMemberRole, { member: stranger.username, role: 'owner' }],
      [answerTeamLeave, {}],
      [answerInvitationWithdrawal, { invitation: 'x' }],
    ] as const) {
      const answer = await stranger.fill(handler, { team: id, ...fields })
      expect(answer.headers.get('location')).toContain(`/console/teams/${id}`)
    }
    expect(await roleOf(id, stranger)).toBeUndefined()
    expect((await postern.context.database.prisma.team.findUniqueOrThrow({ where: { id } })).name).not.toBe('Stolen')
  })

  it('renames a team, and refuses the name of another', async () => {
    const { owner, member, id } = await teamWith('developer')
    const rename = async (by: Account, name: string) =>
      result(by, await by.fill(answerTeamRename, { team: id, name }), 'team-name')
    expect(await rename(member, 'Mine')).toBe('not_allowed')
    expect(await rename(owner, `Fresh ${kind} ${id}`)).toBe('renamed')
    await create(await newcomer(), 'Taken Already')
    expect(await rename(owner, 'taken-already')).toBe('name_lookalike')
  })
})
