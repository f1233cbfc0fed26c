import { expect, it } from 'vitest'
import { openDatabase } from '#lib/db/engine/client'
import { freshUrl } from '#lib/testing/databases/databases'
import { setUpCommandLine as setUp } from '#lib/testing/process/command-line'

const web = {
  client_id: 'acme-web',
  name: 'Acme Web',
  kind: 'confidential',
  redirect_uris: ['https://acme.example/cb'],
}
const people = [{ username: 'ada', password: 'correct horse', email: 'ada@example.org' }]
const file = { teams: [{ id: 'acme', name: 'Acme', apps: [web, { ...web, client_id: 'acme-two' }] }], people }

async function setUpApps(settings: Record<string, string> = {}) {
  const line = setUp(settings)
  await line.cli(['apply', line.save(file)])
  return line
}

it('disables and enables an app; a repetition changes nothing', async () => {
  const { cli } = await setUpApps()
  expect((await cli(['app', 'disable', 'acme-web'])).answer()).toEqual({ client_id: 'acme-web', disabled: true })
  const since = (await cli(['app', 'show', 'acme-web'])).answer().disabled_at
  expect(since).toMatch(/^20/)
  await cli(['app', 'disable', 'acme-web'])
  expect((await cli(['app', 'show', 'acme-web'])).answer().disabled_at).toBe(since)
  expect((await cli(['app', 'enable', 'acme-web'])).answer()).toEqual({ client_id: 'acme-web', disabled: false })
  expect((await cli(['app', 'show', 'acme-web'])).answer().disabled_at).toBeNull()
  expect((await cli(['app', 'show', 'acme-two'])).answer().disabled_at).toBeNull()
})

it.each([['disable'], ['enable'], ['remove'], ['show'], ['failures'], ['mail'], ['secret', 'add']])(
  'suggests the id that a mistyped one resembles: app %s %s',
  async (...words) => {
    const { cli } = await setUpApps()
    const { stdout, stderr, code } = await cli(['app', ...words, 'acme-wbe'])
    expect([stdout, code]).toEqual(['', 1])
    expect(stderr).toContain('There is no app "acme-wbe". Did you mean acme-web?')
  },
)

it('does not remove an app without --yes', async () => {
  const { cli } = await setUpApps()
  const { stdout, stderr, code } = await cli(['app', 'remove', 'acme-web'])
  expect([stdout, code]).toEqual(['', 1])
  expect(stderr).toContain('--yes')
  expect((await cli(['app', 'show', 'acme-web'])).answer().disabled_at).toBeNull()
})

it.each(['sqlite', 'postgresql'] as const)(
  'removes an app with its consents, reverse addresses and secrets, on %s',
  async (kind) => {
    const line = kind === 'postgresql' ? await setUpApps({ DATABASE_URL: await freshUrl(kind) }) : await setUpApps()
    const database = await openDatabase(line.databaseUrl)
    const { prisma } = database
    const { id: personId } = await prisma.person.findFirstOrThrow()
    const now = new Date()
    await prisma.subject.create({ data: { personId, teamId: 'acme', sub: 's1', createdAt: now } })
    for (const appId of ['acme-web', 'acme-two']) {
      const choice = { granted: 'openid email', declined: '', emailChoice: 'hidden', createdAt: now, updatedAt: now }
      await prisma.consent.create({ data: { personId, appId, ...choice } })
      const address = `${appId}@relay.localhost`
      await prisma.alias.create({ data: { address, personId, appId, createdAt: now } })
      const written = { aliasName: address, createdAt: now, lastUsedAt: now }
      await prisma.reverseAddress.create({ data: { token: appId, target: 'x@acme.example', ...written } })
    }
    expect((await line.cli(['app', 'remove', 'acme-web', '--yes'])).answer()).toEqual({
      client_id: 'acme-web',
      removed: true,
    })
    expect((await prisma.app.findMany()).map(({ id }) => id)).toEqual(['acme-two'])
    expect((await prisma.consent.findMany()).map(({ appId }) => appId)).toEqual(['acme-two'])
    expect((await prisma.reverseAddress.findMany()).map(({ token }) => token)).toEqual(['acme-two'])
    expect((await prisma.appSecret.findMany()).map(({ appId }) => appId)).toEqual(['acme-two'])
    // The address stays on record so that it is never issued again; the person keeps the sub of the team.
    const alias = await prisma.alias.findUniqueOrThrow({ where: { address: 'acme-web@relay.localhost' } })
    expect([alias.appId, alias.disabledAt]).toEqual([null, expect.any(Date)])
    expect(await prisma.subject.count()).toBe(1)
    await database.close()
    expect((await line.cli(['app', 'remove', 'acme-web', '--yes'])).code).toBe(1)
  },
)

it('completes an interrupted removal', async () => {
  const { cli } = await setUpApps()
  await cli(['app', 'disable', 'acme-web'])
  expect((await cli(['app', 'remove', 'acme-web', '--yes'])).code).toBe(0)
})

it('removes an app once when two commands run at once', async () => {
  const { spawnCli, cli } = await setUpApps()
  const outcomes = await Promise.all([1, 2].map(() => spawnCli(['app', 'remove', 'acme-web', '--yes'])))
  expect(outcomes.some(({ code }) => code === 0)).toBe(true)
  expect((await cli(['app', 'list'])).answer()).toHaveLength(1)
})
