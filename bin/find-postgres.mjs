// Finds the PostgreSQL server programs that the tests need, or installs them.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { aptInstall, canAptInstall, onPath } from './apt.mjs'

const homes = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt', '/usr/pgsql']

/**
 * Returns the folder of `initdb` and `postgres`: `POSTGRES_BIN`, the PATH, or the usual places of the system; null
 * when there is none.
 */
export function findPostgres() {
  const initdb = onPath('initdb')
  const candidates = [process.env.POSTGRES_BIN, initdb && dirname(initdb), ofPgConfig(), ...homes.flatMap(versionsIn)]
  return candidates.find((folder) => folder && holdsServer(folder)) ?? null
}

/**
 * Returns the same folder and installs the programs where the machine allows it. Throws an error that says what to do
 * otherwise.
 */
export async function ensurePostgres() {
  const found = findPostgres()
  if (found) return found
  const said = canAptInstall() ? await aptInstall('postgresql') : ''
  const installed = findPostgres()
  if (installed) return installed
  throw new Error(
    `${said}\n\nNo PostgreSQL server programs were found and none could be installed. Install them ` +
      '(Debian: apt-get install postgresql; macOS: brew install postgresql; no server needs to run), ' +
      'or name their folder: POSTGRES_BIN=/path/to/bin npm test.',
  )
}

function ofPgConfig() {
  const config = onPath('pg_config')
  return config ? spawnSync(config, ['--bindir'], { encoding: 'utf8' }).stdout?.trim() : null
}

/** Returns `home/15/bin`, `home/postgresql@17/bin` and so on, newest version first. */
function versionsIn(home) {
  if (!existsSync(home)) return []
  const versionOf = (name) => Number(/^(?:postgresql@)?(\d+)$/.exec(name)?.[1] ?? 0)
  return readdirSync(home)
    .filter((name) => versionOf(name) > 0)
    .sort((a, b) => versionOf(b) - versionOf(a))
    .map((name) => join(home, name, 'bin'))
}

function holdsServer(folder) {
  return ['initdb', 'postgres'].every((name) => existsSync(join(folder, name)))
}
