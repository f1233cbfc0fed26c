import { expect, it } from 'vitest'
import { actStore } from '#lib/db/console/act-store'
import { openDatabase } from '#lib/db/engine/client'
import { setUpCommandLine as setUp } from '#lib/testing/process/command-line'

const web = {
  client_id: 'acme-web',
  name: 'Acme Web',
  kind: 'confidential',
  redirect_uris: ['https://acme.example/cb'],
}
const people = ['ada', 'bob'].map((username) => ({ username, password: 'correct horse' }))
const file = { teams: [{ id: 'acme', name: 'Acme', apps: [web] }], people }

async function withAcme() {
  const line = setUp()
  await line.cli(['apply', line.save(file)])
  const member = async (username: string, role: string) => line.cli(['team', 'member', 'acme', username, role])
  const actsOf = async (team: string) => {
    const { prisma, close } = await openDatabase(line.databaseUrl)
    const acts = await actStore(prisma).list(team, undefined, 100)
    await close()
    return acts
  }
  return { ...line, member, actsOf }
}

it('lists teams, and shows one with its members', async () => {
  const { cli, member } = await withAcme()
  expect((await cli(['team', 'list'])).answer()).toMatchObject([{ id: 'acme', name: 'Acme', apps: 1, members: [] }])
  await member('Bob', 'viewer')
  await member('ada', 'owner')
  expect((await cli(['team', 'show', 'acme'])).answer()).toEqual({
    id: 'acme',
    name: 'Acme',
    apps: 1,
    apis: 0,
    invitations: 0,
    created_at: expect.stringMatching(/^20/),
    closed_at: null,
    members: [
      { username: 'ada', role: 'owner' },
      { username: 'bob', role: 'viewer' },
    ],
  })
})

it('adds, changes and removes a member, and writes each act without an actor', async () => {
  const { member, actsOf } = await withAcme()
  expect((await member('ada', 'developer')).answer()).toEqual({ team: 'acme', username: 'ada', role: 'developer' })
  await member('ada', 'viewer')
  await member('ada', 'viewer')
  expect((await member('ada', 'none')).answer()).toEqual({ team: 'acme', username: 'ada', role: null })
  expect((await member('ada', 'none')).code).toBe(0)
  const acts = (await actsOf('acme')).map(({ kind, actor, target, before, after }) => ({
    kind,
    actor,
    target,
    change: `${before.role ?? ''} → ${after.role ?? ''}`,
  }))
  const own = { actor: '', target: 'ada' }
  expect(acts.filter(({ target }) => target === 'ada')).toEqual([
    { ...own, kind: 'member_removed', change: 'viewer → ' },
    { ...own, kind: 'role_changed', change: 'developer → viewer' },
    { ...own, kind: 'member_added', change: ' → developer' },
  ])
})

it('refuses to remove the only owner, and says how to appoint another', async () => {
  const { member } = await withAcme()
  await member('ada', 'owner')
  for (const role of ['none', 'viewer']) {
    const { code, stdout, stderr } = await member('ada', role)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('ada is the only owner of Acme. To make another person an owner: cli team member acme')
  }
  await member('bob', 'owner')
  expect((await member('ada', 'none')).code).toBe(0)
})

it('suggests the most similar team, person and role', async () => {
  const { cli, member } = await withAcme()
  expect((await cli(['team', 'show', 'acne'])).stderr).toContain('Did you mean acme?')
  expect((await member('adaa', 'owner')).stderr).toContain('ada')
  expect((await member('ada', 'ower')).stderr).toContain('The role must be viewer, developer, owner or none.')
  expect((await member('ada', '')).code).toBe(1)
})

it('notes the teams that lose their only owner when an account is disabled or deleted', async () => {
  const { cli, member } = await withAcme()
  await member('ada', 'owner')
  const note = 'ada is the only owner of the team Acme. To make another person an owner: cli team member acme'
  for (const args of [
    ['disable', 'ada'],
    ['enable', 'ada'],
    ['delete', 'ada'],
    ['delete', 'ada', '--now', '--yes'],
  ]) {
    const { code, stderr } = await cli(['user', ...args])
    expect([args, code, stderr.includes(note)]).toEqual([args, 0, args[0] !== 'enable'])
  }
  expect((await cli(['team', 'show', 'acme'])).answer().members).toEqual([])
})

it('writes the creation and the renaming of a team by a file in its audit trail', async () => {
  const { cli, save, actsOf } = await withAcme()
  await cli(['apply', save(file)])
  await cli(['apply', save({ teams: [{ id: 'acme', name: 'Acme Rockets' }] })])
  expect(await actsOf('acme')).toMatchObject([
    { kind: 'team_renamed', actor: '', before: { name: 'Acme' }, after: { name: 'Acme Rockets' } },
    { kind: 'app_registered', actor: '', before: {}, target: 'acme-web' },
    { kind: 'team_created', actor: '', before: {}, after: { name: 'Acme' } },
  ])
})
