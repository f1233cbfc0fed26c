import { generateKeyPairSync } from 'node:crypto'
import { expect, it } from 'vitest'
import { commands } from '#lib/cli/run'
import type { ActKind } from '#lib/console/audit/act'
import { actStore } from '#lib/db/console/act-store'
import { openDatabase } from '#lib/db/engine/client'
import { freshUrl, kinds } from '#lib/testing/databases/databases'
import { setUpCommandLine } from '#lib/testing/process/command-line'

const publicKey = (kid: string) => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }),
  ...{ kid, alg: 'ES256', use: 'sig' },
})
const redirect_uris = ['https://acme.example/cb']
const web = { client_id: 'acme-web', name: 'Acme Web', kind: 'confidential', redirect_uris }
const signer = {
  client_id: 'acme-signer',
  name: 'Signer',
  kind: 'assertion',
  redirect_uris,
  jwks: keySet('one', 'two'),
}
const orders = { identifier: 'https://api.acme.example/orders', name: 'Orders', scopes: ['orders.read'] }
const first = {
  teams: [{ id: 'acme', name: 'Acme', apps: [web, signer], apis: [orders] }],
  people: [{ username: 'ada', password: 'correct horse' }],
}
const second = {
  teams: [
    {
      ...{ id: 'acme', name: 'Acme Two', trusted: false },
      apps: [{ ...web, name: 'Acme Site', mail_domains: ['acme.example'] }],
      apis: [{ ...orders, scopes: ['orders.read', 'orders.write'], sensitive_scopes: ['orders.write'] }],
    },
  ],
}

function keySet(...kids: string[]) {
  return { keys: kids.map(publicKey) }
}

const lists = 'It changes nothing.'
const person = 'It is about a person. A deletion or a closed account ends no act of a team.'
const service = 'It is about the service.'

/** Each command: the acts that it writes into the activity of a team, or the reason for none. */
const written: Record<string, ActKind[] | string> = {
  'apply FILE': ['api_changed', 'app_changed', 'team_renamed', 'team_untrusted'],
  'app secret add ID': ['secret_added'],
  'app secret remove ID SECRETID': ['secret_removed'],
  'app key remove ID KID': ['key_removed'],
  'app disable ID': ['app_disabled'],
  'app enable ID': ['app_enabled'],
  'app domain remove ID DOMAIN': ['mail_domain_removed'],
  'app remove ID': ['app_disabled', 'app_removed'],
  'api remove IDENTIFIER': ['api_deleted'],
  'team member TEAM USERNAME ROLE': ['member_added'],
  'app mail ID': 'It looks up DNS as the hourly job does.',
  'invite create': 'The invitation belongs to no team.',
  ...of(lists, 'doctor', 'api list', 'app list', 'app show ID', 'app failures ID', 'team list', 'team show TEAM'),
  ...of(lists, 'user list', 'operator list', 'keys list', 'nodes'),
  ...of(person, 'user create USERNAME', 'user show USERNAME', 'user delete USERNAME', 'user disable USERNAME'),
  ...of(person, 'user enable USERNAME', 'user avatar USERNAME FILE', 'user reset USERNAME', 'user unlock USERNAME'),
  ...of(person, 'operator add USERNAME', 'operator remove USERNAME'),
  ...of(service, 'jobs', 'jobs run NAME', 'relay dns', 'relay keys', 'relay rotate'),
  ...of(service, 'backup FILE', 'restore FILE', 'epoch begin'),
  ...of(service, 'keys sealed', 'keys reseal', 'keys rotate', 'keys replace', 'keys retire KID'),
}

function of(reason: string, ...usages: string[]) {
  return Object.fromEntries(usages.map((usage) => [usage, reason]))
}

it('has a row for each command', () => {
  expect(Object.keys(written).sort()).toEqual(commands.map(({ usage }) => usage).sort())
})

it.each(kinds)('writes what each command changes of a team into its activity, on %s', async (kind) => {
  const line = setUpCommandLine(kind === 'postgresql' ? { DATABASE_URL: await freshUrl(kind) } : {})
  expect(await line.cli(['apply', line.save(first)])).toMatchObject({ code: 0 })
  const database = await openDatabase(line.databaseUrl)
  const acts = () => actStore(database.prisma).list('acme', undefined, 100)
  const seen = new Set((await acts()).map(({ id }) => id))
  /** Returns the answer of a command, after its acts, all by the operator, are compared with its row. */
  const run = async (usage: string, ...words: string[]) => {
    const done = await line.cli(words)
    expect([words, done.code, done.stderr]).toEqual([words, 0, expect.anything()])
    const added = (await acts()).filter(({ id }) => !seen.has(id))
    for (const { id } of added) seen.add(id)
    expect([usage, ...added.map((act) => act.kind).sort()]).toEqual([usage, ...(written[usage] ?? [])])
    expect(added.every(({ actor }) => actor === '')).toBe(true)
    return { answer: done.answer(), added }
  }
  const { added } = await run('apply FILE', 'apply', line.save(second))
  expect(added.find((act) => act.kind === 'api_changed')).toMatchObject({
    target: orders.identifier,
    targetName: 'Orders',
    before: { scopes: 'orders.read' },
    after: { scopes: 'orders.read orders.write', sensitive_scopes: 'orders.write' },
  })
  const { answer } = await run('app secret add ID', 'app', 'secret', 'add', 'acme-web')
  await run('app secret remove ID SECRETID', 'app', 'secret', 'remove', 'acme-web', answer.secret_id)
  await run('app key remove ID KID', 'app', 'key', 'remove', 'acme-signer', 'one')
  await run('app disable ID', 'app', 'disable', 'acme-web')
  await run('app enable ID', 'app', 'enable', 'acme-web')
  const removal = await run('app domain remove ID DOMAIN', 'app', 'domain', 'remove', 'acme-web', 'acme.example')
  expect(removal.added).toMatchObject([{ target: 'acme-web', before: { domain: 'acme.example' } }])
  await run('app remove ID', 'app', 'remove', 'acme-web', '--yes')
  const gone = await run('api remove IDENTIFIER', 'api', 'remove', orders.identifier)
  expect(gone.added).toMatchObject([{ target: orders.identifier, targetName: 'Orders' }])
  await run('team member TEAM USERNAME ROLE', 'team', 'member', 'acme', 'ada', 'viewer')
  await database.close()
})

it('writes that a file registers an API, once', async () => {
  const line = setUpCommandLine()
  for (const _ of [1, 2]) await line.cli(['apply', line.save(first)])
  const database = await openDatabase(line.databaseUrl)
  const acts = await actStore(database.prisma).list('acme', undefined, 100)
  const after = { name: 'Orders', scopes: 'orders.read', signing_alg: 'ES256' }
  expect(acts.filter((act) => act.kind === 'api_registered')).toMatchObject([
    { actor: '', target: orders.identifier, targetName: 'Orders', before: {}, after },
  ])
  await database.close()
})
