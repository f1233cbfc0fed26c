// npm run screens: writes pictures of every page and state to screens/, which Git ignores.
import { handOver } from './hand-over.mjs'
import { prepare, runCommand } from './prepare.mjs'

runCommand(async () => {
  await prepare({ build: true })
  handOver('e2e/screens.ts', process.argv.slice(2), { env: { NODE_ENV: 'production' } })
})
