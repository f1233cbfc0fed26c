// The server: one process for both hosts (design §1), or a parent with workers. Database times are written and compared
// in UTC.
process.env.TZ = 'UTC'
// A release has no `npm run dev`, and only what production needs.
if (!existsSync('bin/start.mjs')) Object.assign(process.env, { NODE_ENV: 'production' })
// Settings come from the environment alone. Next would also read .env files, and more of them than `npm start` does.
process.env.__NEXT_PROCESSED_ENV = '1'

import cluster from 'node:cluster'
import { existsSync } from 'node:fs'
import { countWorkers } from '#lib/server/cluster/count-workers'
import { keepTicksFast } from '#lib/server/keep-ticks-fast'
import { makeLog } from '#lib/server/observe/log'
import { readConfig } from '#lib/server/settings/config'
import { explainFault } from '#lib/server/settings/start-up-fault'
import { exitOnSignals } from '#lib/server/shutdown'

/** Loads only the code that the process runs, so that a parent stays small. */
async function start() {
  keepTicksFast()
  const forgetSignals = exitOnSignals()
  // Usually one process runs, which reads the settings itself; reading may run SECRET_KEY_COMMAND.
  const wantsWorkers = (process.env.WORKERS || '1') !== '1'
  if (wantsWorkers && cluster.isPrimary && process.env.NODE_ENV === 'production') {
    const config = readConfig(process.env)
    const { count, reason } = countWorkers(config)
    if (count > 1) {
      const { runWorkers } = await import('#lib/server/cluster/parent')
      forgetSignals()
      return runWorkers(config, count)
    }
    if (reason) makeLog(config.logLevel).warn({ workers: config.workers }, `one process runs: ${reason}`)
  }
  const { serve } = await import('./serve.ts')
  return serve(forgetSignals)
}

start().catch((fault: unknown) => {
  process.stderr.write(`${explainFault(fault, process.env)}\n`)
  process.exit(1)
})
