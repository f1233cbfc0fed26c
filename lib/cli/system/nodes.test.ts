import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '#lib/db/engine/client'
import { nodeStore } from '#lib/db/nodes/node-store'
import { setUpCommandLine } from '#lib/testing/process/command-line'

it('lists the processes, two of one host included', async () => {
  const { cli, databaseUrl } = setUpCommandLine()
  expect((await cli(['nodes', '--init'])).answer()).toEqual([])
  const database = await openDatabase(databaseUrl)
  onTestFinished(() => database.close())
  const now = new Date()
  const node = { hostName: 'one', pid: 7, version: '1.2.3', roles: ['web', 'jobs'], uptime: 60, now, isDraining: false }
  await nodeStore(database).beat({ ...node, id: 'first', now: new Date(now.getTime() + 600_000) })
  await nodeStore(database).beat({ ...node, id: 'second', isDraining: true })
  const { answer, stderr, code } = await cli(['nodes'])
  expect(code).toBe(0)
  expect(
    answer()
      .map(({ id, host, state }: Record<string, string>) => [id, host, state])
      .sort(),
  ).toEqual([
    ['first', 'one', 'alive'],
    ['second', 'one', 'draining'],
  ])
  const ahead = answer().find(({ id }: { id: string }) => id === 'first').clock_ahead
  expect(Math.round(ahead / 60)).toBe(10)
  expect(stderr).toContain('web,jobs')
})
