import { defineConfig } from 'vitest/config'

// Before a worker starts: dates must not depend on where the tests run.
process.env.TZ = 'UTC'

export default defineConfig({
  test: {
    include: ['{lib,app,bin,prisma}/**/*.test.{ts,tsx}', '*.test.ts'],
    exclude: ['**/node_modules/**', '**/generated/**'],
    globalSetup: ['./lib/testing/process/temporary-folder.ts', './lib/testing/process/start-postgres.ts'],
    setupFiles: ['./lib/testing/process/patient-argon2.ts', './lib/testing/process/property-seed.ts'],
    environment: 'node',
    // Read, not imported: nothing else would tell that a change of theirs reaches every test.
    forceRerunTriggers: ['**/package-lock.json', '**/vitest.config.ts', '**/prisma/**', '**/golden/**'],
    pool: 'forks',
    maxWorkers: 4,
    // Files share their worker's modules, as they share its process: to load all of them 155 times took as long as the tests.
    isolate: false,
    // A limit for what hangs, not for what is slow on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A forgotten .only or an empty file must not look like success.
    allowOnly: false,
    passWithNoTests: false,
    env: { TZ: 'UTC' },
  },
})
