import type { Answer, Call, Command } from '#lib/cli/command'
import { withDatabase, withDatabaseToLookAt } from '#lib/cli/open'
import { table } from '#lib/cli/table'
import type { Purpose } from '#lib/crypto/derived-keys'
import type { Database } from '#lib/db/engine/client'
import { sealedRows } from '#lib/db/keys/sealed-rows'
import { resealAll } from '#lib/keys/reseal'
import { type SealProgress, sealProgress } from '#lib/keys/seal-progress'
import { upgradesOf } from '#lib/server/jobs/jobs'
import type { Config } from '#lib/server/settings/config'
import { existingMasterKeys } from './server-keys.ts'

/** Commands for the rotation of the master key, SECRET_KEY. */
export const masterKeyCommands: Command[] = [
  {
    usage: 'keys sealed',
    summary: 'Show how many stored values SECRET_KEY opens, and how many still need SECRET_KEY_PREVIOUS',
    run: (call) =>
      withDatabaseToLookAt(call, async ({ prisma }, config) =>
        showProgress(await sealProgress(existingMasterKeys(config), sealedRows(prisma)), config),
      ),
  },
  {
    usage: 'keys reseal',
    summary: 'Seal them again with SECRET_KEY now (happens by itself within an hour)',
    options: { 'dry-run': { type: 'boolean' } },
    run: (call) =>
      call.flags['dry-run'] === true
        ? withDatabaseToLookAt(call, (database, config) => reseal(call, database, config))
        : withDatabase(call, (database, config) => reseal(call, database, config)),
  },
]

async function reseal(call: Call, { prisma }: Database, config: Config): Promise<Answer> {
  const secrets = existingMasterKeys(config)
  const tables = sealedRows(prisma)
  const before = await sealProgress(secrets, tables)
  const waiting = sum(before, 'previous')
  if (call.flags['dry-run'] === true) {
    call.say(`${values(waiting)} would be sealed again.`)
    return showProgress(before, config)
  }
  const count = await resealAll(secrets, tables, { upgrades: upgradesOf({ secrets, now: () => call.now }) })
  call.say(`${values(count)} sealed again.`)
  return showProgress(await sealProgress(secrets, tables), config)
}

const kinds: Partial<Record<Purpose, string>> = {
  'signing-key-at-rest': 'keys that sign tokens',
  'mail-key-at-rest': 'keys that sign mail',
  'totp-of-person': 'authenticator apps of people',
  'event-receiver': 'passwords of event receivers',
}

function showProgress(progress: SealProgress[], config: Config): Answer {
  const [previous, neither] = [sum(progress, 'previous'), sum(progress, 'neither')]
  const rows = progress.map((one) => [
    kinds[one.purpose] ?? one.purpose,
    ...[one.current, one.previous, one.neither].map((count) => count.toLocaleString('en')),
  ])
  const advice = adviceFor(config, previous, neither)
  return {
    ok: neither === 0,
    value: {
      values: progress.map(({ purpose, ...counts }) => ({ kind: kinds[purpose] ?? purpose, ...counts })),
      rotating: config.previousSecretKey !== undefined,
      advice,
    },
    text: `${table(['sealed values', 'SECRET_KEY', 'previous key', 'no key'], rows)}\n\n${advice}`,
  }
}

function adviceFor({ previousSecretKey, lifetimes }: Config, previous: number, neither: number): string {
  if (neither > 0)
    return `${values(neither)} opened with no key. Set the key that sealed them as SECRET_KEY_PREVIOUS. If that key is lost for good: cli keys replace --key-lost --dry-run`
  if (!previousSecretKey) return 'Everything is sealed with SECRET_KEY. There is no previous key.'
  if (previous > 0) return 'Keep SECRET_KEY_PREVIOUS. Seal the rest again: cli keys reseal'
  const days = Math.max(30, lifetimes.refreshIdle / 86_400)
  return `Stored values no longer need SECRET_KEY_PREVIOUS. Remove it ${days} days after the last process started with the new key: until then, sessions and unused refresh tokens need it. If it is the new key of a rotation, swap it with SECRET_KEY first, on every node.`
}

const sum = (progress: SealProgress[], field: 'previous' | 'neither') =>
  progress.reduce((total, one) => total + one[field], 0)
const values = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'value' : 'values'}`
