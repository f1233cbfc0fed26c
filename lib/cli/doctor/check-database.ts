import { existsSync } from 'node:fs'
import { explainDatabaseFault, withoutPassword } from '#lib/cli/open'
import { deriveKeys, type Purpose } from '#lib/crypto/derived-keys'
import { openSealed } from '#lib/crypto/seal'
import { type Database, openDatabase } from '#lib/db/engine/client'
import { readMigrationState } from '#lib/db/engine/migration-state'
import { keyStore } from '#lib/db/keys/key-store'
import { mailKeyStore } from '#lib/db/relay/mail-key-store'
import { existingEvaluationKey } from '#lib/keys/evaluation-key'
import type { Config } from '#lib/server/settings/config'
import { type Finding, ok, warning, wrong } from './check.ts'

/**
 * Checks the database: connection, migrations, clock, and whether the master key opens its keys. Changes nothing
 * (design §6).
 */
export async function checkDatabase(config: Config, now: Date): Promise<Finding[]> {
  const { databaseUrl: url } = config
  if (url.startsWith('file:') && !existsSync(url.slice('file:'.length))) {
    return [
      warning(
        'database',
        `${url} does not exist yet.`,
        'It is made by the first start or the first apply; no step is needed.',
      ),
      checkOwnClock(now),
    ]
  }
  try {
    const { pending } = await readMigrationState(url)
    const found = [ok('database', `${withoutPassword(url)} answers.`), checkMigrations(pending)]
    return pending.length > 0 ? found : [...found, ...(await lookInside(config, now))]
  } catch (fault) {
    return [wrong('database', explainDatabaseFault(fault, url), 'Until then Postern cannot start.')]
  }
}

function checkMigrations(pending: string[]): Finding {
  if (pending.length === 0) return ok('migrations', 'are all applied.')
  return warning(
    'migrations',
    `${pending.join(', ')} not applied yet.`,
    'The next start applies them; no step is needed.',
  )
}

async function lookInside(config: Config, now: Date): Promise<Finding[]> {
  const database = await openDatabase(config.databaseUrl)
  try {
    const signing = (await keyStore(database.prisma).listKeys(now)).map((key) => ({ ...key, name: key.kid }))
    const mail = (await mailKeyStore(database.prisma).listMailKeys()).map((key) => ({ ...key, name: key.selector }))
    return [
      await checkClock(database, now),
      await checkKeys('signing keys', 'signing-key-at-rest', signing, config),
      // An installation without a relay has no mail keys.
      ...(mail.length > 0 ? [await checkKeys('mail keys', 'mail-key-at-rest', mail, config)] : []),
    ]
  } finally {
    await database.close()
  }
}

async function checkClock(database: Database, now: Date): Promise<Finding> {
  if (database.kind === 'sqlite') return checkOwnClock(now)
  const asked = Date.now()
  const { rows } = await database.pool.query('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS time')
  // The database read its clock between query and answer; the middle of both times is the best estimate of that moment.
  const apart = Math.abs(Number(rows[0].time) - (asked + Date.now()) / 2) / 1000
  const fix = 'Let both machines keep time by NTP.'
  if (apart > 30)
    return wrong(
      'clock',
      `This machine and the database are ${apart.toFixed(0)} s apart; assertions and codes would fail.`,
      fix,
    )
  if (apart > 2) return warning('clock', `This machine and the database are ${apart.toFixed(1)} s apart.`, fix)
  return ok('clock', 'agrees with the database.')
}

function checkOwnClock(now: Date): Finding {
  if (now.getUTCFullYear() >= 2026) return ok('clock', `reads ${now.toISOString()}.`)
  return wrong('clock', `reads ${now.toISOString()}, which is in the past.`, 'Set it, and let it keep time by NTP.')
}

type Sealed = { name: string; sealedPrivate: string }

/** Checks that the master key opens every stored key (design §5). */
async function checkKeys(name: string, purpose: Purpose, all: Sealed[], config: Config): Promise<Finding> {
  // A key that was lost with its master key is empty.
  const stored = all.filter(({ sealedPrivate }) => sealedPrivate !== '')
  if (stored.length === 0) return ok(name, 'none is stored yet; the first start makes one.')
  const fix = 'Set SECRET_KEY to the key they were sealed with, or give it as SECRET_KEY_PREVIOUS.'
  const [master, previous] = [masterKey(config), config.previousSecretKey]
  if (!master) return wrong(name, `${stored.length} stored, and no key to open them with.`, fix)
  const keys = deriveKeys(master, previous ? Buffer.from(previous, 'base64url') : undefined).all(purpose)
  const opened = await Promise.all(stored.map((key) => openSealed(keys, key.sealedPrivate)))
  const unopened = stored.filter((_, index) => !opened[index]).map((key) => key.name)
  if (unopened.length === 0) return ok(name, `${stored.length} stored, and the master key opens them.`)
  return wrong(name, `The master key does not open ${unopened.join(', ')}.`, fix)
}

/** Returns the master key, and never creates one. */
function masterKey({ secretKey, dataDir }: Config): Buffer | undefined {
  if (secretKey) return Buffer.from(secretKey, 'base64url')
  return existingEvaluationKey(dataDir)
}
