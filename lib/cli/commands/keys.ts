import { type Answer, type Call, type Command, Refusal } from '#lib/cli/command'
import { withDatabase } from '#lib/cli/open'
import { table } from '#lib/cli/table'
import { keyStore } from '#lib/db/keys/key-store'
import { keyStates } from '#lib/keys/key-states'
import { replaceLeakedKeys, retireSigningKey, rotateSigningKeysNow } from '#lib/keys/rotate-signing-keys'
import type { KeyStore } from '#lib/keys/store'
import { didYouMean } from '#lib/text/did-you-mean'
import { readServerKeys } from './server-keys.ts'

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
    run: rotate,
  },
  {
    usage: 'keys replace',
    summary: 'Replace every key at once because one may have leaked: all tokens signed so far stop working',
    options: { yes: { type: 'boolean' } },
    run: replace,
  },
  {
    usage: 'keys retire KID',
    summary:
      'Stop publishing a retired key as soon as no token signed with it is valid (happens by itself two days later)',
    options: { now: { type: 'boolean' } },
    run: retire,
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

function replace(call: Call): Promise<Answer> {
  return withDatabase(call, async ({ prisma }, config) => {
    if (call.flags.yes !== true)
      throw new Refusal('Every token signed so far stops working, and apps must fetch the new keys. Repeat with --yes.')
    const store = keyStore(prisma)
    const secrets = await readServerKeys(config, store, call.now)
    if (!(await replaceLeakedKeys({ store, secrets, now: () => call.now })))
      throw new Refusal('There is no key yet; the first start makes one.')
    return showKeys(store, call.now)
  })
}

function retire(call: Call): Promise<Answer> {
  return withDatabase(call, async ({ prisma }) => {
    const kid = call.args[0] ?? ''
    const store = keyStore(prisma)
    const keys = await store.listKeys(call.now)
    const key = keys.find((one) => one.kid === kid)
    if (!key) {
      const hint = didYouMean(
        kid,
        keys.map((one) => one.kid),
      )
      throw new Refusal(`There is no key ${JSON.stringify(kid.slice(0, 100))}.${hint} See: cli keys list`)
    }
    if (call.flags.now === true)
      throw new Refusal('--now is not possible: apps would refuse tokens that are still valid. Let the key expire.')
    const outcome = await retireSigningKey({ store, now: () => call.now }, key)
    if (outcome === 'no successor') throw new Refusal(`${kid} has no successor yet. Make one first: cli keys rotate`)
    if (outcome !== 'retired')
      throw new Refusal(`Tokens signed with ${kid} may be valid until ${outcome.from.toISOString()}. Retire it then.`)
    return showKeys(store, call.now)
  })
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
