// npm start, npm run dev: starts the server from any state of the checkout.
import { handOver } from './hand-over.mjs'
import { prepare, runCommand } from './prepare.mjs'

runCommand(async () => {
  const isDevelopment = process.argv.includes('--dev')
  await prepare({ build: !isDevelopment, last: 'starting' })
  handOver('server.ts', process.argv.slice(2), {
    // V8 would let short-lived objects take 128 MiB before it collects them, and the heap grow fourfold between two
    // collections. 60 % made a busy server on PostgreSQL 60 MiB smaller; 30 % cost 15 % of its code exchanges.
    flags: [
      '--max-semi-space-size=8',
      '--heap-growing-percent=60',
      ...(isDevelopment ? [] : ['--import=./load-stripped.mjs']),
    ],
    env: {
      NODE_ENV: isDevelopment ? 'development' : 'production',
      // glibc keeps a memory arena for each thread. Two are enough for one busy thread and keep the process smaller.
      MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '2',
    },
  })
})
