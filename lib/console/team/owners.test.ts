import { describe, expect, it } from 'vitest'
import { answerDeletion, answerKeep } from '#lib/account/data/delete-account'
import { operatorAct } from '#lib/cli/operator-act'
import { answerAppKeep } from '#lib/console/app/app-state'
import { makeAppStore } from '#lib/db/apps/app-store'
import { eraseApps } from '#lib/server/jobs/erase-apps'
import { erasePeople } from '#lib/server/jobs/erase-people'
import { type Account, openTeams } from '#lib/testing/console/teams'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'
import { answerNewTeam } from './create-team.ts'
import { answerInvite, answerJoin } from './invitations.ts'
import { answerTeamLeave } from './members.ts'
import { answerTeamRename } from './rename-team.ts'

describe.each(kinds)('the last owner of a team on %s', (kind) => {
  const postern = sharePostern({ kind, env: { TEAMS: 'open' } })
  const { newcomer, create, result, invite, join, teamWith, roleOf, addApp } = openTeams(postern)
  const prisma = () => postern.context.database.prisma
  const later = (days: number) => new Date(postern.context.now().getTime() + days * 86_400_000)

  const askDeletion = async (account: Account & { username: string }) =>
    account.fill(answerDeletion, { confirm: account.username })
  const deleteAfter = async (account: Account) => (await account.stored()).deleteAfter
  const addDeletedApp = async (id: string) => {
    await addApp(id, `deleted-${id}`, postern.context.now())
    const deletion = { disabledBy: 'deletion', removeAfter: later(30) }
    await prisma().app.update({ where: { id: `deleted-${id}` }, data: deletion })
  }
  const keepApp = async (account: Account, team: string) =>
    result(account, await account.fill(answerAppKeep, { team, app: `deleted-${team}` }), 'app')
  const erase = async (account: Account) => {
    await prisma().person.update({ where: { id: account.personId }, data: { deleteAfter: postern.context.now() } })
    await erasePeople(postern.context.deletions, postern.context.now())
  }

  it('cannot delete the account while the team has other members', async () => {
    const { owner, member, id } = await teamWith('developer')
    const answer = await askDeletion(owner)
    expect(answer.headers.get('location')).toBe('/account/data/delete')
    expect(await deleteAfter(owner)).toBeNull()
    expect(await postern.context.deletions.teamsInNeed(owner.personId)).toMatchObject([{ id }])
    expect(await postern.context.deletions.teamsInNeed(member.personId)).toEqual([])
    await askDeletion(member)
    expect(await deleteAfter(member)).not.toBeNull()
  })

  it.each(['app', 'API'])('cannot delete the account while the team has an %s', async (what) => {
    const owner = await newcomer()
    const { id } = await create(owner)
    if (what === 'app') await addApp(id, `only-${id}`)
    else {
      const now = postern.context.now()
      const texts = { name: 'Api', scopes: 'read', signingAlg: 'ES256', createdAt: now, updatedAt: now }
      await prisma().api.create({ data: { identifier: `https://${id}.example`, teamId: id, ...texts } })
    }
    await askDeletion(owner)
    expect(await deleteAfter(owner)).toBeNull()
  })

  it('is one of two owners who delete their accounts at the same time', async () => {
    const { owner, member, id } = await teamWith('owner')
    await Promise.all([askDeletion(owner), askDeletion(member)])
    const times = [await deleteAfter(owner), await deleteAfter(member)]
    expect(times.filter((time) => time === null)).toHaveLength(1)
    expect(await postern.context.teams.soleOwnerOf(times[0] ? member.personId : owner.personId)).toMatchObject([{ id }])
  })

  it.each(['leave', 'delete the account'])('is the one whose account works: the other cannot %s', async (how) => {
    const { owner, member, id } = await teamWith('owner')
    const isLeaving = { deleteAfter: later(7) }
    await prisma().person.update({
      where: { id: member.personId },
      data: how === 'leave' ? isLeaving : { disabledAt: postern.context.now() },
    })
    if (how === 'leave')
      expect(await result(owner, await owner.fill(answerTeamLeave, { team: id }), 'members')).toBe('last_owner')
    else await askDeletion(owner)
    expect(await deleteAfter(owner)).toBeNull()
    expect(await roleOf(id, owner)).toBe('owner')
  })

  it('takes a team along that has neither apps nor other members, and its name is free again', async () => {
    const owner = await newcomer()
    const name = `Lonely ${kind} ${owner.username}`
    const { id } = await create(owner, name)
    await invite(owner, id, 'viewer')
    await askDeletion(owner)
    expect(await deleteAfter(owner)).not.toBeNull()
    await erase(owner)
    expect(await prisma().team.findUnique({ where: { id } })).toBeNull()
    expect((await create(await newcomer(), name)).id).not.toBe('')
  })

  it('takes a team along whose apps are all deleted, with these apps', async () => {
    const owner = await newcomer()
    const name = `Finished ${kind} ${owner.username}`
    const { id } = await create(owner, name)
    await addDeletedApp(id)
    const deleted = await prisma().app.findFirstOrThrow({ where: { teamId: id } })
    await prisma().alias.create({ data: { address: `alias-${id}`, appId: deleted.id, createdAt: deleted.createdAt } })
    expect(await postern.context.deletions.teamsInNeed(owner.personId)).toEqual([])
    await askDeletion(owner)
    expect(await deleteAfter(owner)).not.toBeNull()
    expect(await keepApp(owner, id)).toBe('leaving')
    await owner.fill(answerKeep)
    expect(await keepApp(owner, id)).toBe('kept')
    await askDeletion(owner)
    expect(await deleteAfter(owner)).toBeNull()
    await prisma().app.update({ where: { id: deleted.id }, data: { removeAfter: later(30) } })
    await askDeletion(owner)
    await erase(owner)
    expect(await prisma().team.findUnique({ where: { id } })).toBeNull()
    expect(await prisma().app.count({ where: { id: deleted.id } })).toBe(0)
    expect(await prisma().alias.findMany({ where: { address: `alias-${id}` } })).toMatchObject([
      { appId: null, disabledAt: postern.context.now() },
    ])
    expect((await create(await newcomer(), name)).id).not.toBe('')
  })

  it('leaves a team behind whose deleted app has given people identifiers', async () => {
    const owner = await newcomer()
    const { id } = await create(owner)
    await addDeletedApp(id)
    const now = postern.context.now()
    await prisma().subject.create({ data: { personId: 'dev1', teamId: id, sub: `sub-${id}`, createdAt: now } })
    await askDeletion(owner)
    await erase(owner)
    expect(await prisma().team.count({ where: { id } })).toBe(1)
    expect(await prisma().app.count({ where: { teamId: id } })).toBe(1)
    await prisma().app.updateMany({ where: { teamId: id }, data: { removeAfter: now } })
    await eraseApps(makeAppStore(prisma()), now)
    expect(await prisma().app.count({ where: { teamId: id } })).toBe(0)
  })

  it('never keeps an app in a team whose only owner deletes the account at the same time', async () => {
    const owner = await newcomer()
    const { id } = await create(owner)
    await addDeletedApp(id)
    await Promise.all([askDeletion(owner), keepApp(owner, id)])
    const { removeAfter } = await prisma().app.findUniqueOrThrow({ where: { id: `deleted-${id}` } })
    expect(removeAfter === null).toBe((await deleteAfter(owner)) === null)
    if (removeAfter === null) return
    // The check of the form may have passed before the deletion began.
    const app = { id: `deleted-${id}`, teamId: id }
    const act = operatorAct({ now: postern.context.now(), random: postern.context.random }, 'app_kept')
    expect(await postern.context.teamApps.setDeletion(app, undefined, act)).toBe(false)
  })

  it('leaves a team behind that the operator deletes them from, and one that people have identifiers for', async () => {
    const { owner, id } = await teamWith('developer')
    await erase(owner)
    expect((await postern.context.teams.listMembers(id)).map(({ role }) => role)).toEqual(['developer'])
    const other = await newcomer()
    const { id: used } = await create(other)
    const now = postern.context.now()
    await prisma().subject.create({ data: { personId: 'dev1', teamId: used, sub: `sub-${used}`, createdAt: now } })
    await erase(other)
    expect(await prisma().team.count({ where: { id: used } })).toBe(1)
  })

  it('can only leave teams while the account is about to be deleted', async () => {
    const { owner, member, id } = await teamWith('owner')
    const key = await invite(owner, (await create(owner)).id, 'viewer')
    await askDeletion(member)
    const attempt = async (handler: Parameters<Account['fill']>[0], fields: Record<string, string>, form: string) =>
      result(member, await member.fill(handler, fields), form)
    expect(await attempt(answerNewTeam, { name: 'Parting Gift' }, 'new-team')).toBe('leaving')
    expect(await attempt(answerJoin, { key: key ?? '' }, 'join')).toBe('leaving')
    expect(await attempt(answerInvite, { team: id, role: 'owner' }, 'invite')).toBe('leaving')
    expect(await attempt(answerTeamRename, { team: id, name: 'Parting Gift' }, 'team-name')).toBe('leaving')
    expect(await attempt(answerTeamLeave, { team: id }, 'members')).toBe('left')
    expect(await join(await newcomer(), key)).toBe('joined')
  })
})
