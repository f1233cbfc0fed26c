import { defineConfig } from '@playwright/test'
import { findChromium } from '../bin/find-chromium.mjs'
import { inFull, nodeCount } from './in-full.ts'
import type { Workers } from './postern.ts'

const executablePath = await findChromium()

/** `npm run nodes` omits the tests that start every server themselves: no server of theirs would be three nodes. */
const ownServers =
  /e2e\/(database-away|development|drain|jobs|kill|logout-kill|plain-next|relay-kill|relay-postfix|reverse-proxy|rolling-upgrade|sign-up-modes|workers|faults\/.*|packaging\/.*)\.spec/

/**
 * Tests with a command of their own: `npm run faults` builds the last release, starts servers without a database, in
 * processes for each core, with a backlog and for development, kills them more often than faults.spec.ts does, uses the
 * console without script, and walks every page with the brand of the example; `npm run packaging` installs Debian packages, such as the proxies and the Postfix that stand
 * in front.
 */
const elsewhere = [
  ...(inFull
    ? []
    : [/(brand-everywhere|console-without-script|database-away|development|jobs|kill|rolling-upgrade|workers)\.spec/]),
  ...(process.env.PACKAGING === '1' ? [] : [/e2e\/packaging\//, /(proxy-faults|reverse-proxy|relay-postfix)\.spec/]),
  ...(nodeCount > 1 ? [ownServers] : []),
]

const everyPage = /every-page\.spec/

export default defineConfig<object, Workers>({
  testDir: '.',
  outputDir: '../test-results',
  // Each worker runs a browser and a server. Tests wait half of the time, for an e-mail or a delay. The faults are
  // measured, so nothing runs beside them.
  workers: inFull ? 1 : nodeCount > 1 ? 2 : 4,
  retries: 0,
  forbidOnly: true,
  // Catches hanging tests, not tests that are slow on a busy machine.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  projects: [
    // One test that takes minutes, so it begins first.
    ...(nodeCount > 1 ? [] : [{ name: 'every page', use: { database: 'sqlite' as const }, testMatch: everyPage }]),
    {
      name: nodeCount > 1 ? `${nodeCount} nodes` : 'sqlite',
      use: { database: 'sqlite' },
      testIgnore: nodeCount > 1 ? elsewhere : [everyPage, ...elsewhere],
      // `npm run faults` runs these flows without script too.
      grepInvert: inFull ? [] : /(account-pages|address-by-hand|hide-my-email|people)\.spec\S* without script/,
    },
    // Repeats the flows on PostgreSQL. Omits the layout checks and most variants without script, because these do not
    // depend on the database. The longer flows run there in `npm run faults` alone.
    {
      name: 'postgresql',
      use: { database: 'postgresql' },
      grepInvert: /(account-pages|consent|hide-my-email|people|relay)\.spec\S* without script|cuts nothing off/,
      // The nodes of `npm run nodes` are on PostgreSQL already.
      testIgnore: nodeCount > 1 ? /./ : [],
      testMatch: inFull
        ? /\/(account-pages|consent|demo|email|hide-my-email|people|relay|sign-up-modes|two-tabs)\.spec/
        : /\/(demo|relay|two-tabs)\.spec/,
    },
  ],
  use: {
    browserName: 'chromium',
    locale: 'en-US',
    timezoneId: 'UTC',
    // Recording every test would double the duration; use `--trace=retain-on-failure` to record failures.
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
        // The browser's own toolbar would be an additional page in every window.
        '--disable-features=PreloadTopChromeWebUI,WebUIToolbar,InitialWebUI',
      ],
    },
  },
})
