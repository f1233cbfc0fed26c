// npm run clients: signs in with client libraries from npm, PyPI, Go, crates.io, Maven and Debian on the production build.
import { handOver } from './hand-over.mjs'
import { prepare, runCommand } from './prepare.mjs'

runCommand(async () => {
  await prepare({ build: !process.argv.includes('--help') })
  handOver('clients/main.ts', process.argv.slice(2), { env: { NODE_ENV: 'production' } })
})
