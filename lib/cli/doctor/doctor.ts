import type { Call, Command } from '#lib/cli/command'
import { type Config, readConfig, SettingsError } from '#lib/server/settings/config'
import { type Finding, ok, wrong } from './check.ts'
import { checkBrand } from './check-brand.ts'
import { checkCities } from './check-cities.ts'
import { checkDatabase } from './check-database.ts'
import { checkDatabaseFiles, checkDataFolder, checkDeletionJournal, checkSecretKey } from './check-files.ts'
import { checkNetwork } from './check-network.ts'
import { checkRelayDns } from './check-relay-dns.ts'

/** Checks settings, files, database, network and DNS of an installation. Changes nothing. */
export const doctor: Command = {
  usage: 'doctor',
  summary: 'Check settings, files, database, clock, network and the relay’s DNS; say what to fix',
  async run(call) {
    const checks = await examine(call)
    const healthy = checks.every((check) => check.state !== 'wrong')
    return { ok: healthy, value: { healthy, checks }, text: checks.map(line).join('\n') }
  },
}

async function examine({ env, now, resolver }: Call): Promise<Finding[]> {
  const config = settings(env)
  if (Array.isArray(config)) return config
  const [database, network, relay] = await Promise.all([
    checkDatabase(config, now),
    checkNetwork(config),
    checkRelayDns(config, resolver),
  ])
  const kind = config.evaluation ? 'an evaluation' : 'production'
  return [
    ok('settings', `are valid, for ${kind}.`),
    checkBrand(config),
    checkCities(config, now),
    checkDataFolder(config),
    checkSecretKey(config),
    ...checkDatabaseFiles(config),
    ...checkDeletionJournal(config),
    ...database,
    ...network,
    ...relay,
  ]
}

function settings(env: Call['env']): Config | Finding[] {
  try {
    return readConfig(env)
  } catch (fault) {
    if (!(fault instanceof SettingsError)) throw fault
    return fault.problems.map((problem) => wrong('settings', problem, 'Set the variable; .env.example documents each.'))
  }
}

const marks = { ok: '✓', warning: '!', wrong: '✗' }

const line = ({ name, state, message, fix }: Finding) =>
  `${marks[state]} ${name}: ${message}${fix ? `\n    → ${fix.replaceAll('\n', '\n      ')}` : ''}`
