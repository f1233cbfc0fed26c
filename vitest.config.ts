import { defineConfig } from 'vitest/config'

// Set before a worker starts: dates must not depend on the time zone of the machine.
process.env.TZ = 'UTC'

export default defineConfig({
  test: {
    include: ['{lib,app,bin,prisma}/**/*.test.{ts,tsx}', '*.test.ts'],
    exclude: ['**/node_modules/**', '**/generated/**'],
    globalSetup: ['./lib/testing/set-up/temporary-folder.ts', './lib/testing/set-up/start-postgres.ts'],
    setupFiles: ['./lib/testing/set-up/quick-argon2.ts', './lib/testing/set-up/property-seed.ts'],
    environment: 'node',
    // These files are read, not imported, so vitest cannot derive from imports that a change to them affects every test.
    forceRerunTriggers: [
      '**/package-lock.json',
      '**/vitest.config.ts',
      '**/prisma/**',
      '**/golden/**',
      '**/messages/{en,ja,zh-*}/**',
    ],
    pool: 'forks',
    maxWorkers: 4,
    // The files of a worker share its process and its modules: loading all modules again for each file took as long as
    // the tests.
    isolate: false,
    // Catches hanging tests, not tests that are slow on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    // A forgotten .only or an empty file must not pass.
    allowOnly: false,
    passWithNoTests: false,
    env: { TZ: 'UTC' },
  },
})
