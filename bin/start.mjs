// npm start, npm run dev: starts the server from any state of the checkout.
import { handOver } from './hand-over.mjs'
import { prepare, runCommand } from './prepare.mjs'

runCommand(async () => {
  const isDevelopment = process.argv.includes('--dev')
  await prepare({ build: !isDevelopment, last: 'starting' })
  handOver('server.ts', process.argv.slice(2), {
    // V8 would let short-lived objects take 128 MiB before it collects them, and the heap grow fourfold between two
    // collections. With 8 MiB instead of 16, requests that wait for PostgreSQL are copied more often: it answered 7 %
    // fewer of those for userinfo. 45 % costs nothing that can be measured; 30 % cost 15 % of the code exchanges.
    flags: [
      '--max-semi-space-size=16',
      '--heap-growing-percent=45',
      // Also discards the Sparkplug code of functions that six collections found unused; by default, V8 keeps it.
      '--flush-baseline-code',
      // V8 would create some objects of requests among the long-lived ones, which are collected rarely: docs/decisions/0079.
      '--no-allocation-site-pretenuring',
      ...(isDevelopment ? [] : ['--import=./load-stripped.mjs']),
    ],
    env: {
      NODE_ENV: isDevelopment ? 'development' : 'production',
      // glibc keeps a memory arena for each thread. Two are enough for one busy thread and keep the process smaller.
      MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '2',
      // Fixed limits: by default glibc raises both with the largest freed block, and returns less memory to the system. A
      // block of 32 KiB, such as a piece of a body, is memory of its own, which is returned when it is freed.
      MALLOC_MMAP_THRESHOLD_: process.env.MALLOC_MMAP_THRESHOLD_ ?? '32768',
      MALLOC_TRIM_THRESHOLD_: process.env.MALLOC_TRIM_THRESHOLD_ ?? '1048576',
    },
  })
})
