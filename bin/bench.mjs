// npm run bench: runs the benchmarks on the production build.
import { handOver } from './hand-over.mjs'
import { prepare, runCommand } from './prepare.mjs'

runCommand(async () => {
  await prepare({ build: !process.argv.includes('--help') })
  handOver('bench/main.ts', process.argv.slice(2), { env: { NODE_ENV: 'production' } })
})
