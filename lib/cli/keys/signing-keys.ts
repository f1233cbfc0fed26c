import { type Answer, type Call, type Command, Refusal } from '#lib/cli/command'
import { withDatabase, withDatabaseToLookAt } from '#lib/cli/open'
import { table } from '#lib/cli/table'
import type { Database } from '#lib/db/engine/client'
import { keyStore } from '#lib/db/keys/key-store'
import { leakReach } from '#lib/db/keys/leak-reach'
import { deletionJournal } from '#lib/db/restore/deletion-journal'
import { keyStates } from '#lib/keys/key-states'
import { replaceLeakedKeys, retirableFrom, retireSigningKey, rotateSigningKeysNow } from '#lib/keys/rotate-signing-keys'
import type { KeyStore, StoredKey } from '#lib/keys/store'
import type { Config } from '#lib/server/settings/config'
import { didYouMean } from '#lib/text/did-you-mean'
import { describeLost, expectLost, lookForLost, refuseWhileServersRun, replaceLost } from './lost-key.ts'
import { readServerKeys } from './server-keys.ts'

const dryRun = { 'dry-run': { type: 'boolean' } } as const
const isDryRun = (call: Call) => call.flags['dry-run'] === true
const isKeyLost = (call: Call) => call.flags['key-lost'] === true

/** Commands for the keys that sign tokens. */
export const keyCommands: Command[] = [
  {
    usage: 'keys list',
    summary: 'List the keys that tokens are signed with: next, current and retired',
    run: (call) => withDatabase(call, ({ prisma }) => showKeys(keyStore(prisma), call.now)),
  },
  {
    usage: 'keys rotate',
    summary: 'Make the next keys now: published at once, they sign two weeks later (happens by itself every 76 days)',
    options: dryRun,
    run: (call) => (isDryRun(call) ? withDatabaseToLookAt(call, wouldRotate(call)) : rotate(call)),
  },
  {
    usage: 'keys replace',
    summary:
      'Replace every key at once because one may have leaked: all tokens signed so far stop working; --key-lost replaces what a lost SECRET_KEY sealed',
    options: { yes: { type: 'boolean' }, 'key-lost': { type: 'boolean' }, ...dryRun },
    run: (call) => (isDryRun(call) ? withDatabaseToLookAt(call, wouldReplace(call)) : replace(call)),
  },
  {
    usage: 'keys retire KID',
    summary:
      'Stop publishing a retired key as soon as no token signed with it is valid (happens by itself two days later)',
    options: { now: { type: 'boolean' }, ...dryRun },
    run: (call) => (isDryRun(call) ? withDatabaseToLookAt(call, wouldRetire(call)) : retire(call)),
  },
]

function rotate(call: Call): Promise<Answer> {
  return withDatabase(call, async ({ prisma }, config) => {
    const store = keyStore(prisma)
    const secrets = await readServerKeys(config, store, call.now)
    const outcome = await rotateSigningKeysNow({ store, secrets, now: () => call.now })
    if (outcome === 'none yet') throw new Refusal('There is no key yet; the first start makes one.')
    if (outcome === 'one is waiting') call.say('A next key is published already; no other was made.')
    return showKeys(store, call.now)
  })
}

/** Says when the next keys would sign. */
const wouldRotate =
  (call: Call) =>
  async ({ prisma }: Database) => {
    const store = keyStore(prisma)
    const state = keyStates(await store.listKeys(call.now), call.now)
    const isWaiting = (await store.listKeys(call.now)).some((key) => state(key) === 'next')
    call.say(
      isWaiting
        ? 'A next key is published already; no other would be made.'
        : 'The next keys would be published at once and would sign two weeks later.',
    )
    return showKeys(store, call.now)
  }

function replace(call: Call): Promise<Answer> {
  return withDatabase(call, async (database, config) => {
    if (call.flags.yes !== true)
      throw new Refusal(
        'Every token signed so far stops working. See whom it reaches with --dry-run, repeat with --yes.',
      )
    if (isKeyLost(call)) return replaceLostOf(call, database, config)
    const store = keyStore(database.prisma)
    const secrets = await readServerKeys(config, store, call.now)
    const reach = await reachOf(database, call.now)
    const journal = deletionJournal(config.deletionJournal)
    for (const { kid } of await store.listKeys(call.now)) journal({ at: call.now.toISOString(), leakedKey: kid })
    if (!(await replaceLeakedKeys({ store, secrets, now: () => call.now })))
      throw new Refusal('There is no key yet; the first start makes one.')
    call.say(`Replaced. ${reach}`)
    return showKeys(store, call.now)
  })
}

/** Replaces what a lost master key sealed, and says what is lost. */
async function replaceLostOf(call: Call, database: Database, config: Config): Promise<Answer> {
  const { prisma } = database
  await refuseWhileServersRun(database)
  expectLost(await lookForLost(call, prisma, config))
  const report = await replaceLost(prisma, config, call.now)
  for (const line of describeLost(report)) call.say(line)
  call.say('Start every server with the present SECRET_KEY. People sign in again.')
  return showKeys(keyStore(prisma), call.now)
}

/** Says what a replacement would end, and for whom. */
const wouldReplace = (call: Call) => async (database: Database, config: Config) => {
  if (isKeyLost(call)) {
    const report = await lookForLost(call, database.prisma, config)
    expectLost(report)
    for (const line of ['Nothing is changed yet.', ...describeLost(report)]) call.say(line)
    return showKeys(keyStore(database.prisma), call.now)
  }
  call.say(`Nothing is changed yet. ${await reachOf(database, call.now)} To replace every key: cli keys replace --yes`)
  return showKeys(keyStore(database.prisma), call.now)
}

async function reachOf(database: Database, now: Date): Promise<string> {
  const { renewed, ended } = await leakReach(database, now)
  return [
    'Access and ID tokens signed so far are refused, within five seconds by every process of Postern, and by an app as soon as it fetches the key set again (it may keep it for five minutes, and some libraries keep it longer).',
    `${count(renewed.authorizations, 'approval')} of ${count(renewed.people, 'person', 'people')} for ${count(renewed.apps, 'app')} ${renewed.authorizations === 1 ? 'has a refresh token' : 'have refresh tokens'}: these apps get new tokens by themselves.`,
    `${count(ended.authorizations, 'approval')} of the last hour without a refresh token may have a valid token: ${count(ended.people, 'person signs', 'people sign')} in again to ${count(ended.apps, 'app')}.`,
    'Sessions at Postern stay.',
  ].join(' ')
}

const count = (many: number, one: string, several = `${one}s`) =>
  `${many.toLocaleString('en')} ${many === 1 ? one : several}`

function retire(call: Call): Promise<Answer> {
  return withDatabase(call, async ({ prisma }) => {
    const store = keyStore(prisma)
    const key = await findKey(call, store)
    refuseEarly(call, key)
    await retireSigningKey({ store, now: () => call.now }, key)
    return showKeys(store, call.now)
  })
}

/** Says whether a key could be retired. */
const wouldRetire =
  (call: Call) =>
  async ({ prisma }: Database) => {
    const store = keyStore(prisma)
    const key = await findKey(call, store)
    refuseEarly(call, key)
    call.say(`${key.kid} would no longer be published. No token that it signed is valid.`)
    return showKeys(store, call.now)
  }

async function findKey(call: Call, store: KeyStore): Promise<StoredKey> {
  const kid = call.args[0] ?? ''
  const keys = await store.listKeys(call.now)
  const key = keys.find((one) => one.kid === kid)
  if (key) return key
  const hint = didYouMean(
    kid,
    keys.map((one) => one.kid),
  )
  throw new Refusal(`There is no key ${JSON.stringify(kid.slice(0, 100))}.${hint} See: cli keys list`)
}

function refuseEarly(call: Call, key: StoredKey) {
  if (call.flags.now === true)
    throw new Refusal('--now is not possible: apps would refuse tokens that are still valid. Let the key expire.')
  const from = retirableFrom(key)
  if (!from) throw new Refusal(`${key.kid} has no successor yet. Make one first: cli keys rotate`)
  if (from > call.now)
    throw new Refusal(`Tokens signed with ${key.kid} may be valid until ${from.toISOString()}. Retire it then.`)
}

async function showKeys(store: KeyStore, now: Date): Promise<Answer> {
  const keys = await store.listKeys(now)
  const state = keyStates(keys, now)
  const value = keys.map((key) => ({
    kid: key.kid,
    algorithm: key.algorithm,
    state: state(key),
    created_at: key.createdAt,
    current_from: key.currentFrom,
    retired_at: key.retiredAt ?? null,
    gone_at: key.goneAt ?? null,
  }))
  const day = (time: Date | null) => time?.toISOString().slice(0, 16).replace('T', ' ') ?? ''
  const rows = value.map((key) => [
    key.kid,
    key.algorithm,
    key.state,
    day(key.current_from),
    day(key.retired_at),
    day(key.gone_at),
  ])
  return { ok: true, value, text: table(['kid', 'algorithm', 'state', 'signs from', 'until', 'published until'], rows) }
}
