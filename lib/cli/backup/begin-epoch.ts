import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Answer, type Call, type Command, Refusal } from '#lib/cli/command'
import { describeLost, refuseWhileServersRun, replaceLost } from '#lib/cli/keys/lost-key'
import { readServerKeys } from '#lib/cli/keys/server-keys'
import { findUnfit, replaceUnfit, type Unfit } from '#lib/cli/keys/unfit-keys'
import { withDatabase } from '#lib/cli/open'
import { deletionStore } from '#lib/db/account/deletion-store'
import type { Database, Prisma } from '#lib/db/engine/client'
import { readDatabaseClock } from '#lib/db/jobs/database-clock'
import { keyStore } from '#lib/db/keys/key-store'
import { beginEpoch } from '#lib/db/restore/begin-epoch'
import { type Journal, readJournals } from '#lib/db/restore/deletion-journal'
import type { Config } from '#lib/server/settings/config'

/** `epoch begin`: the steps after a restore that another program made, or after a failover. */
export const epoch: Command = {
  usage: 'epoch begin',
  summary: 'After a restore of PostgreSQL, or a failover that lost data: end sessions, accept newer refresh tokens',
  options: {
    since: { type: 'string' },
    journal: { type: 'string', multiple: true },
    'key-lost': { type: 'boolean' },
    yes: { type: 'boolean' },
  },
  run: (call) =>
    withDatabase(call, async (database, config) => {
      const backupAt = readTime(call.flags.since)
      if (!backupAt) throw new Refusal('Add --since with the time to which the data goes: --since 2026-11-23T04:00:00Z')
      if (backupAt > call.now) throw new Refusal('--since is in the future.')
      if (call.flags.yes !== true) throw new Refusal('This ends all sessions. If that is meant, add --yes.')
      if (call.flags['key-lost'] === true) await refuseWhileServersRun(database)
      const value = await settleRestored(call, database, config, backupAt)
      return { ok: true, value, text: describeSettled(value) } satisfies Answer
    }),
}

/** Reads a time with its zone; undefined for anything else. */
export function readTime(text: unknown): Date | undefined {
  if (typeof text !== 'string' || !/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/.test(text)) return undefined
  const time = new Date(text)
  return Number.isNaN(time.getTime()) ? undefined : time
}

/** Returns the files of --journal, or the one of DELETION_JOURNAL. */
export const journalsOf = ({ flags }: Call, { deletionJournal }: Config): string[] =>
  (flags.journal as string[] | undefined) ?? (deletionJournal ? [deletionJournal] : [])

/** Reads the journals; refuses a file that is missing, because deleted people would come back. */
export async function readJournalsOrRefuse(files: string[]): Promise<Journal> {
  try {
    return await readJournals(files)
  } catch (fault) {
    throw new Refusal(
      `The deletion journal cannot be read (${(fault as Error).message}). Name the right file with --journal.`,
    )
  }
}

export type Settled = Awaited<ReturnType<typeof settleRestored>>

/** Begins the epoch, erases the people of the journal again, and replaces keys that leaked. */
export async function settleRestored(call: Call, database: Database, config: Config, backupAt: Date) {
  const { prisma } = database
  const files = journalsOf(call, config)
  const journal = await readJournalsOrRefuse(files)
  // The nodes judge tokens by clocks that are compared with the database's, not with the one of this machine.
  const now = await readDatabaseClock(database)
  const until = new Date(now.getTime() + config.lifetimes.refreshIdle * 1000)
  const id = call.random(16).toString('base64url')
  const ended = await beginEpoch(prisma, { id, backupAt, restoredAt: now, until })
  const erased = await eraseAgain(prisma, journal.people, now)
  const lost = call.flags['key-lost'] === true ? await replaceLost(prisma, config, now) : undefined
  const replaced = await replaceLeaked(prisma, config, journal, now)
  return {
    backup_at: backupAt,
    restored_at: now,
    epoch_until: until,
    sessions_ended: ended.sessions,
    codes_ended: ended.codes,
    people_erased_again: erased,
    signing_keys_replaced: replaced.signing,
    mail_keys_replaced: replaced.mail,
    key_lost: lost ?? null,
    journal_files: files,
    journal_lines_unreadable: journal.unreadable,
  }
}

/** Replaces the keys of the backup that the journal names as leaked. */
async function replaceLeaked(prisma: Prisma, config: Config, { leakedKeys }: Journal, now: Date): Promise<Unfit> {
  const leaked = new Set(leakedKeys)
  const unfit = await findUnfit(prisma, now, ({ id }) => leaked.has(id))
  if (unfit.signing || unfit.mail) {
    const secrets = await readServerKeys(config, keyStore(prisma), now)
    await replaceUnfit(unfit, { prisma, secrets, now })
  }
  return unfit
}

async function eraseAgain(prisma: Prisma, people: string[], now: Date): Promise<number> {
  const store = deletionStore(prisma)
  let erased = 0
  for (let at = 0; at < people.length; at += batch) {
    const where = { id: { in: people.slice(at, at + batch) } }
    // Most people of a journal were erased before the backup.
    for (const { id } of await prisma.person.findMany({ where, select: { id: true } })) {
      await prisma.person.updateMany({ where: { id }, data: { deleteAfter: now } })
      while (!(await store.erase(id, now, batch))) await nextTurn()
      erased++
    }
  }
  return erased
}

const batch = 500

/** The warning of a restore that has no journal. */
export const noJournal =
  'No deletion journal was read: people who were deleted after the backup have an account again. Name a journal with --journal, or delete them again: cli user delete USERNAME --now --yes'

/** Says what was ended, in lines. */
export function describeSettled(settled: Settled): string {
  const lines = [
    `The data goes to ${settled.backup_at.toISOString()}.`,
    `Ended: ${settled.sessions_ended} sessions, ${settled.codes_ended} codes.`,
    `Refresh tokens that are newer than the data are accepted until ${settled.epoch_until.toISOString()}.`,
    `Erased again: ${settled.people_erased_again} people.`,
  ]
  if (settled.signing_keys_replaced)
    lines.push('A leaked signing key was in the backup; all signing keys are replaced.')
  if (settled.mail_keys_replaced)
    lines.push(
      'A leaked key for mail was in the backup, and signs until DNS has the records of the next pair. Publish them: cli relay dns',
    )
  if (settled.key_lost) lines.push(...describeLost(settled.key_lost))
  if (settled.journal_files.length === 0) lines.push(noJournal)
  if (settled.journal_lines_unreadable > 0)
    lines.push(`${settled.journal_lines_unreadable} lines of the journal could not be read.`)
  return lines.join('\n')
}
