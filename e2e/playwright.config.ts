import { defineConfig } from '@playwright/test'
import { findChromium } from '../bin/find-chromium.mjs'
import type { Workers } from './postern.ts'

const executablePath = await findChromium()

export default defineConfig<object, Workers>({
  testDir: '.',
  outputDir: '../test-results',
  // Each worker runs a browser and a server; half of the time a test waits, for a letter or for a delay to pass.
  workers: 3,
  retries: 0,
  forbidOnly: true,
  // Limits for what hangs, not for what is slow on a busy machine.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  projects: [
    { name: 'sqlite', use: { database: 'sqlite' } },
    // The journeys of people once more, on the other database. How a page looks is the same there; without script, the way in.
    {
      name: 'postgresql',
      use: { database: 'postgresql' },
      grepInvert: /(account-pages|consent|hide-my-email|people|relay)\.spec\S* without script|nothing is cut off/,
      testMatch: /\/(account-pages|consent|demo|email|hide-my-email|people|relay|sign-up-modes|two-tabs)\.spec/,
    },
  ],
  use: {
    browserName: 'chromium',
    locale: 'en-US',
    timezoneId: 'UTC',
    // A recording of every test takes as long as the test: `--trace=retain-on-failure` asks for one.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // The browser's own toolbar, which nobody sees here, would be a page of its own in every window.
        '--disable-features=PreloadTopChromeWebUI,WebUIToolbar,InitialWebUI',
      ],
    },
  },
})
