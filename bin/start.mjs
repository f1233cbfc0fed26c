// npm start, npm run dev: from whatever state the checkout is in to a running server.
import { handOver } from './hand-over.mjs'
import { prepare, runCommand } from './prepare.mjs'

runCommand(async () => {
  const isDevelopment = process.argv.includes('--dev')
  await prepare({ build: !isDevelopment })
  handOver('server.ts', process.argv.slice(2), {
    env: {
      NODE_ENV: isDevelopment ? 'development' : 'production',
      // glibc keeps an arena per thread; two are enough for one busy thread, and the process stays smaller.
      MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '2',
    },
  })
})
