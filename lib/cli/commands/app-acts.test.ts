import { expect, it } from 'vitest'
import { actStore } from '#lib/db/console/act-store'
import { openDatabase } from '#lib/db/engine/client'
import { freshUrl, kinds } from '#lib/testing/databases/databases'
import { setUpCommandLine } from '#lib/testing/process/command-line'

const web = {
  client_id: 'acme-web',
  name: 'Acme Web',
  kind: 'confidential',
  redirect_uris: ['https://acme.example/cb'],
}
const fileOf = (app: object) => ({ teams: [{ id: 'acme', name: 'Acme', apps: [app] }] })

it.each(kinds)('writes every change of an app by a command into the audit trail of its team, on %s', async (kind) => {
  const line = setUpCommandLine(kind === 'postgresql' ? { DATABASE_URL: await freshUrl(kind) } : {})
  const run = async (...words: string[]) => (await line.cli(words)).answer()
  await run('apply', line.save(fileOf(web)))
  await run('apply', line.save(fileOf({ ...web, name: 'Acme Two', mail_domains: ['mail.acme.example'] })))
  const { secret_id: id } = await run('app', 'secret', 'add', 'acme-web')
  await run('app', 'secret', 'remove', 'acme-web', id)
  await run('app', 'disable', 'acme-web')
  await run('app', 'disable', 'acme-web')
  await run('app', 'enable', 'acme-web')
  await run('app', 'remove', 'acme-web', '--yes')
  const database = await openDatabase(line.databaseUrl)
  const acts = await actStore(database.prisma).list('acme', undefined, 100)
  const shown = acts.map(({ kind: act, actor, target, before, after }) => ({ act, actor, target, before, after }))
  const about = { actor: '', target: 'acme-web' }
  const none = { before: {}, after: {} }
  const registered = shown.find(({ act }) => act === 'app_registered')
  expect(registered).toMatchObject({ ...about, before: {}, after: { name: 'Acme Web', kind: 'confidential' } })
  const changed = { before: { name: 'Acme Web' }, after: { name: 'Acme Two', mail_domains: 'mail.acme.example' } }
  expect(shown.filter(({ act }) => !['team_created', 'app_registered'].includes(act))).toEqual([
    { act: 'app_removed', ...about, ...none },
    { act: 'app_disabled', ...about, ...none },
    { act: 'app_enabled', ...about, ...none },
    { act: 'app_disabled', ...about, ...none },
    { act: 'secret_removed', ...about, before: { secret: id }, after: {} },
    { act: 'secret_added', ...about, before: {}, after: { secret: id } },
    { act: 'app_changed', ...about, ...changed },
  ])
  await database.close()
})

it('writes no act for a file that changes nothing', async () => {
  const line = setUpCommandLine()
  const file = line.save(fileOf(web))
  await line.cli(['apply', file])
  const database = await openDatabase(line.databaseUrl)
  const before = await database.prisma.teamAct.count()
  await line.cli(['apply', file])
  expect(await database.prisma.teamAct.count()).toBe(before)
  await database.close()
})
