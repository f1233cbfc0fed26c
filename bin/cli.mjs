// npm run cli -- …: the operator's command line. stdout is reserved for the command's answer; messages of this script go
// to stderr.
import { handOver } from './hand-over.mjs'
import { prepare, runCommand } from './prepare.mjs'

runCommand(async () => {
  await prepare({ build: false })
  handOver('lib/cli/main.ts', process.argv.slice(2), { env: { NODE_ENV: process.env.NODE_ENV ?? 'production' } })
})
