import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '#lib/db/engine/client'
import { nodeStore } from '#lib/db/nodes/node-store'
import { readFlash } from '#lib/http/flash'
import { sealAuthorization } from '#lib/oauth/events/receiver-authorization'
import { openBrowser } from '#lib/testing/browser/browser'
import { placeOf } from '#lib/testing/browser/flow'
import { giveTotp } from '#lib/testing/browser/people'
import { kinds } from '#lib/testing/databases/databases'
import { setUpRestorable } from '#lib/testing/databases/restorable'
import { setUpCommandLine } from '#lib/testing/process/command-line'
import { callback, openPostern, verifier } from '#lib/testing/process/postern'

const otherKey = Buffer.from('a master key made after the loss').toString('base64url')

type Kind = (typeof kinds)[number]
type Settings = Record<string, string>
type Postern = Awaited<ReturnType<typeof openPostern>>

/** Gives ada an authenticator app, and an app an event receiver with a password. */
async function sealMore({ context }: Postern) {
  const { prisma } = context.database
  const { id } = await prisma.person.findUniqueOrThrow({ where: { username: 'ada' } })
  await giveTotp(context, id)
  const now = context.now()
  const receiver = { appId: 'acme-web', teamId: 'acme', address: 'https://acme.example/events' }
  const sealedAuthorization = sealAuthorization(context, receiver.appId, 'Bearer secret')
  await prisma.eventReceiver.create({ data: { ...receiver, sealedAuthorization, createdAt: now, updatedAt: now } })
}

/** Returns the command line of an installation whose SECRET_KEY is a new one, because the old one is lost. */
async function setUp(kind: Kind) {
  const before = await openPostern({ kind })
  await sealMore(before)
  await before.close()
  const settings: Settings = { ...(before.settings as Settings), SECRET_KEY: otherKey }
  return { ...setUpCommandLine(settings), settings }
}

const counts = { authenticator_apps: 1, event_receivers: ['acme-web'] }

/** Starts the server with the new key, and expects that people sign in and that apps get tokens. */
async function expectToWork(settings: Settings) {
  const postern = await openPostern({ env: { ...settings, SECRET_KEY: otherKey }, provision: { teams: [] } })
  onTestFinished(postern.close)
  const { context } = postern
  expect(await context.unready()).toBeUndefined()
  const bob = openBrowser(context)
  expect(placeOf(await bob.signIn(await bob.authorize(), { username: 'bob', password: 'staple horse battery' }))).toBe(
    '/consent',
  )
  const ada = openBrowser(context)
  const asked = await ada.signIn(await ada.authorize())
  expect(placeOf(asked)).toBe('/two-factor')
  const refused = await ada.post('/two-factor/submit', { ...asked.parameters, code: '123456' })
  expect(placeOf(refused)).toBe('/two-factor')
  expect((await readFlash(context, ada.cookies(), 'two-factor'))?.problems).toMatchObject([{ code: 'code_wrong' }])
  const form = { grant_type: 'authorization_code', code: await postern.approve(), redirect_uri: callback }
  expect((await postern.token({ ...form, code_verifier: verifier })).status).toBe(200)
  await expect(context.relay.signingKeys()).rejects.toThrow('cli relay dns')
  // The next pair of an evaluation signs without DNS.
  expect((await setUpCommandLine({ ...settings, SECRET_KEY: otherKey }).cli(['relay', 'keys'])).code).toBe(0)
  expect(await context.relay.signingKeys()).toHaveLength(2)
}

it.each(kinds)('replaces what a lost master key sealed, so that the server starts, on %s', async (kind) => {
  const { cli, settings } = await setUp(kind)
  const before = await cli(['keys', 'sealed'])
  expect([before.code, before.answer().advice]).toEqual([1, expect.stringContaining('keys replace --key-lost')])
  expect((await cli(['keys', 'replace', '--yes'])).stderr).toContain('If the key is lost for good')

  const listed = (await cli(['keys', 'list'])).answer()
  const dry = await cli(['keys', 'replace', '--key-lost', '--dry-run'])
  expect([dry.code, dry.answer(), dry.stderr]).toEqual([0, listed, expect.stringContaining('1 authenticator apps')])
  expect((await cli(['keys', 'sealed'])).stdout).toBe(before.stdout)
  expect((await cli(['keys', 'replace', '--key-lost'])).code).toBe(1)

  const done = await cli(['keys', 'replace', '--key-lost', '--yes'])
  expect(done.stderr).toContain('cli user reset USERNAME --remove-second-factor')
  expect(done.stderr).toContain('enter it again: acme-web')
  expect(done.answer().map(({ state }: { state: string }) => state)).toEqual(['current', 'current'])
  expect((await cli(['keys', 'sealed'])).code).toBe(0)
  expect((await cli(['keys', 'replace', '--key-lost', '--yes'])).stderr).toContain('nothing is lost')
  expect((await cli(['keys', 'replace', '--yes'])).code).toBe(0)
  await expectToWork(settings)
})

it.each(kinds)('begins an epoch although the journal names keys that are lost, on %s', async (kind) => {
  const { cli, settings, save } = await setUp(kind)
  const [{ kid }] = (await cli(['keys', 'list'])).answer()
  const journal = save(JSON.stringify({ at: '2026-11-23T00:00:00.000Z', leakedKey: kid }), 'deleted')
  const begin = ['epoch', 'begin', '--since', '2026-11-23T00:00:00Z', '--yes', '--journal', journal]
  expect((await cli(begin)).stderr).toContain('If the key is lost for good')
  expect((await cli([...begin, '--key-lost'])).answer()).toMatchObject({ key_lost: counts })
  await expectToWork(settings)
})

it.each(kinds)('refuses to give up a key while a server runs, on %s', async (kind) => {
  const { cli, settings } = await setUp(kind)
  const database = await openDatabase(settings.DATABASE_URL as string)
  onTestFinished(database.close)
  const about = { hostName: 'one', pid: 7, version: '1.2.3', roles: ['web'], uptime: 60, isDraining: false }
  await nodeStore(database).beat({ ...about, id: 'first', now: new Date() })
  const sealed = (await cli(['keys', 'sealed'])).stdout
  for (const command of [
    ['keys', 'replace'],
    ['epoch', 'begin', '--since', '2026-11-23T00:00:00Z'],
  ]) {
    const { code, stderr } = await cli([...command, '--key-lost', '--yes'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('A server runs on one')])
  }
  expect((await cli(['keys', 'sealed'])).stdout).toBe(sealed)
})

it('restores a backup whose master key is lost, with a journal that names its keys as leaked', async () => {
  const { postern, cli, target, journal, stop, settings } = await setUpRestorable()
  await sealMore(postern)
  await cli(['backup', target])
  const journaled = setUpCommandLine({ ...settings, DELETION_JOURNAL: journal }).cli
  expect((await journaled(['keys', 'replace', '--yes'])).code).toBe(0)
  await stop()
  const other = setUpCommandLine({ ...settings, SECRET_KEY: otherKey }).cli
  const restore = (...flags: string[]) => other(['restore', target, '--journal', journal, ...flags])
  expect((await restore('--yes')).stderr).toContain('add --key-lost')
  const sealed = (await cli(['keys', 'sealed'])).stdout
  expect((await restore('--key-lost', '--dry-run')).answer()).toMatchObject({ key_lost: counts })
  expect((await cli(['keys', 'sealed'])).stdout).toBe(sealed)

  const done = await restore('--key-lost', '--yes')
  expect([done.code, done.answer()]).toEqual([
    0,
    expect.objectContaining({ key_lost: expect.objectContaining(counts) }),
  ])
  expect((await other(['keys', 'replace', '--yes'])).code).toBe(0)
  await expectToWork(settings)
})

it('restores a later backup without --key-lost', async () => {
  const { cli, target, stop, settings } = await setUpRestorable()
  await stop()
  await cli(['keys', 'rotate'])
  const other = setUpCommandLine({ ...settings, SECRET_KEY: otherKey }).cli
  expect((await other(['keys', 'replace', '--key-lost', '--yes'])).code).toBe(0)
  await other(['backup', target])
  expect((await other(['restore', target, '--yes'])).code).toBe(0)
})

it('looks for what is lost in an evaluation without a key, and makes no key in a dry run', async () => {
  const { settings, databaseUrl } = await setUp('sqlite')
  const { SECRET_KEY: _, ...rest } = settings
  const { cli } = setUpCommandLine({ ...rest, DATABASE_URL: databaseUrl })
  const dry = await cli(['keys', 'replace', '--key-lost', '--dry-run'])
  expect([dry.code, dry.stderr]).toEqual([0, expect.stringContaining('2 signing keys')])
  expect((await cli(['keys', 'sealed'])).stderr).toContain('SECRET_KEY is not the key of this database')
  expect((await cli(['keys', 'replace', '--key-lost', '--yes'])).code).toBe(0)
  expect((await cli(['keys', 'sealed'])).code).toBe(0)
})
