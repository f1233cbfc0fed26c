import { expect, it } from 'vitest'
import { commands as allCommands } from '#lib/cli/run'
import { openDatabase } from '#lib/db/engine/client'
import { setUpCommandLine } from '#lib/testing/process/command-line'

const password = 'correct horse'

async function setUp() {
  const line = setUpCommandLine()
  const file = (people: object[]) => line.cli(['apply', line.save({ people })])
  await file([{ username: 'ada', password }])
  /** Returns the lines of the operators’ record and the events that people read, in the order of their writing. */
  const written = async () => {
    const { prisma, close } = await openDatabase(`file:${line.dataDir}/postern.db`)
    const order = [{ at: 'asc' as const }, { id: 'asc' as const }]
    const lines = await prisma.operatorAct.findMany({ orderBy: order })
    const events = await prisma.activity.findMany({ orderBy: order })
    await close()
    return {
      lines,
      acts: lines.map(({ act }) => act),
      events: events.map(({ kind }) => kind),
    }
  }
  return { ...line, file, written }
}

/** Each command about a person, the line of the operators’ record, and the event that the person reads. */
const commands = [
  [['user', 'show', 'ada'], 'looked', 'operator_looked'],
  [['user', 'disable', 'ada'], 'disabled', 'disabled_by_operator'],
  [['user', 'unlock', 'ada'], 'unlocked', 'unlocked_by_operator'],
  [['user', 'reset', 'ada'], 'link_made', 'recovery_link_made'],
  [['user', 'delete', 'ada'], 'deletion_asked', 'deletion_by_operator'],
  [['user', 'create', 'grace'], 'created', 'account_by_operator'],
  [['operator', 'add', 'ada'], 'role_given', 'operator_role_given'],
] as const

it.each(commands)('records %j for the operators and for the person', async (words, act, event) => {
  const { cli, written } = await setUp()
  expect((await cli([...words])).code).toBe(0)
  const { lines, events } = await written()
  expect(lines.map((line) => line.act)).toContain(act)
  expect(events).toContain(event)
  expect(lines.every(({ actor, personId }) => actor === '' && personId !== null)).toBe(true)
})

it('records what ends: an enabled account, a deletion that is called off, a role that is taken', async () => {
  const { cli, written } = await setUp()
  const both = ['disable', 'enable', 'delete']
  for (const command of both) await cli(['user', command, 'ada'])
  await cli(['user', 'delete', 'ada', '--undo'])
  await cli(['operator', 'add', 'ada'])
  await cli(['operator', 'remove', 'ada', '--last'])
  const { acts, events } = await written()
  expect(acts).toEqual(expect.arrayContaining(['enabled', 'deletion_cancelled', 'role_taken']))
  expect(events).toEqual(expect.arrayContaining(['enabled_by_operator', 'deletion_called_off', 'operator_role_taken']))
})

it('records a new person of a file and a changed profile, and nothing for an unchanged file', async () => {
  const { file, written } = await setUp()
  await file([{ username: 'ada', password, name: 'Ada' }])
  await file([{ username: 'ada', password, name: 'Ada' }])
  const { acts, events } = await written()
  expect(acts).toEqual(['created', 'profile_changed'])
  expect(events).toEqual(['account_by_operator', 'profile_by_operator'])
})

it('writes no second line for a command that changes nothing', async () => {
  const { cli, written } = await setUp()
  for (const words of [
    ['user', 'disable', 'ada'],
    ['operator', 'add', 'nobody'],
    ['user', 'enable', 'nobody'],
  ])
    for (const _ of [1, 2]) await cli(words)
  expect((await written()).acts).toEqual(['created', 'disabled'])
})

it('keeps the line of an account that a command deletes at once, without the person', async () => {
  const { cli, written } = await setUp()
  await cli(['user', 'delete', 'ada', '--now', '--yes'])
  const { lines, events } = await written()
  expect(lines.map(({ act, personId }) => [act, personId])).toContainEqual(['deleted_now', null])
  expect(events).toEqual([])
})

it('shows no address and no name of a person in any list', async () => {
  const { cli, save, written } = await setUp()
  const person = { username: 'grace', password, name: 'Grace Hopper', email: 'grace@example.org' }
  await cli(['apply', save({ people: [person], teams: [{ id: 'acme', name: 'Acme', apps: [] }] })])
  await cli(['team', 'member', 'acme', 'grace', 'owner'])
  await cli(['operator', 'add', 'grace'])
  const { acts } = await written()
  const lists = allCommands.map(({ usage }) => usage.split(' ')).filter((words) => words.at(-1) === 'list')
  for (const words of [...lists, ['team', 'show', 'acme']]) {
    const { code, stdout, stderr } = await cli(words)
    expect([words, code]).toEqual([words, 0])
    expect(stdout + stderr).not.toMatch(/Hopper|grace@/)
  }
  expect((await cli(['user', 'list'])).stdout).toContain('grace')
  expect((await written()).acts).toEqual(acts)
})

it('shows a person by a whole verified address, and records the look', async () => {
  const { cli, file, written } = await setUp()
  await file([{ username: 'grace', password, name: 'Grace Hopper', email: 'grace@example.org' }])
  const shown = await cli(['user', 'show', 'Grace@Example.org'])
  expect(shown.answer()).toMatchObject({ username: 'grace', email: 'grace@example.org' })
  const { lines, events } = await written()
  expect(lines.at(-1)).toMatchObject({ act: 'looked', actor: '' })
  expect(events).toContain('operator_looked')
  for (const address of ['grace@', '@example.org', 'race@example.org'])
    expect(await cli(['user', 'show', address])).toMatchObject({ code: 1, stdout: '' })
  expect((await written()).lines).toHaveLength(lines.length)
})
