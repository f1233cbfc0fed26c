import { test as base, expect, type Page } from '@playwright/test'
import axeCore from 'axe-core'
import { freshDatabaseUrl, type PostgresServer, startPostgres } from '#lib/testing/databases/postgres-server'
import { startCluster } from './cluster.ts'
import { inFull, nodeCount } from './in-full.ts'
import { ServerProcess } from './server-process.ts'

export { expect }

/** What `axeCore.source` defines in the page. */
declare const axe: typeof axeCore

interface Options {
  /** The server's database: `test.use({ database: 'postgresql' })`. */
  database: 'sqlite' | 'postgresql'
  /** Additional environment variables of the server. The default is the evaluation with its demo. */
  settings: Record<string, string>
}

export interface Workers extends Options {
  postgres: () => Promise<PostgresServer>
  postern: ServerProcess
}

/**
 * Playwright's test with `postern`: a server process of the worker, shared by the tests with the same
 * options. With `NODES=3` in the environment, it is three nodes on PostgreSQL behind HAProxy.
 */
export const test = base.extend<{ serverLog: undefined }, Workers>({
  database: ['sqlite', { option: true, scope: 'worker' }],
  settings: [{ DEMO: '1' }, { option: true, scope: 'worker' }],

  postgres: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
    async ({}, use) => {
      let server: Promise<PostgresServer> | undefined
      await use(() => {
        server ??= startPostgres()
        return server
      })
      await (await server)?.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  postern: [
    async ({ database, settings, postgres }, use) => {
      const isShared = nodeCount > 1 || database === 'postgresql'
      const own = isShared ? { DATABASE_URL: await freshDatabaseUrl((await postgres()).url) } : {}
      const all = { ...own, ...settings }
      const server = nodeCount > 1 ? await startCluster(nodeCount, all) : await ServerProcess.start(all)
      await use(server)
      await server.remove()
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  baseURL: async ({ postern }, use) => use(postern.accountUrl),

  serverLog: [
    async ({ postern }, use, info) => {
      const before = postern.logs().length
      await use(undefined)
      if (info.status !== info.expectedStatus) {
        await info.attach('server.log', { body: postern.logs().slice(before), contentType: 'text/plain' })
      }
    },
    { auto: true },
  ],
})

/** Declares the same tests twice, with script and without: `withAndWithoutScript(() => test(…))`. */
export function withAndWithoutScript(declare: () => void): void {
  for (const javaScriptEnabled of [true, false]) {
    test.describe(javaScriptEnabled ? 'with script' : 'without script', () => {
      test.use({ javaScriptEnabled })
      declare()
    })
  }
}

/**
 * Fails with a readable list when axe finds a problem on the page. Runs on SQLite only, because the database does not
 * change the page. A page without script has to be copied for axe, so `npm run faults` alone checks it; the same page
 * with script is checked by `npm test`.
 */
export async function expectAccessible(page: Page): Promise<void> {
  if (!['sqlite', 'every page'].includes(test.info().project.name)) return
  const isScriptless = await page.evaluate(() => matchMedia('(scripting: none)').matches)
  if (isScriptless && !inFull) return
  const twin = isScriptless ? await scriptedTwin(page) : undefined
  const shown = twin ?? page
  // During an animation, the contrast is neither the old nor the new one.
  await shown.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
  // Our pages have no frames that a script could run in, so axe runs in the page itself. A page compiles axe
  // once for all of its states. Without `resultTypes`, axe describes every element that passed.
  if (!(await shown.evaluate(() => 'axe' in globalThis))) await shown.evaluate(axeCore.source)
  const { violations } = await shown.evaluate(() => axe.run(document, { resultTypes: ['violations'] }))
  await twin?.context().close()
  const said = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html).join('\n  ')}`,
  )
  expect(said, `accessibility of ${page.url()}`).toEqual([])
}

/**
 * Copies a page without script into a context with script, without the page's own scripts, because axe itself needs
 * script.
 */
async function scriptedTwin(page: Page): Promise<Page> {
  const html = (await page.content()).replace(/<script\b[\s\S]*?<\/script>/g, '')
  const context = await page
    .context()
    .browser()
    ?.newContext({
      // The runner gives every new context the options of the test, so they are overridden here.
      javaScriptEnabled: true,
      viewport: page.viewportSize(),
      storageState: await page.context().storageState(),
    })
  if (!context) throw new Error('The page has no browser to open another one in.')
  const twin = await context.newPage()
  await twin.route(page.url(), (route) => route.fulfill({ body: html, contentType: 'text/html; charset=utf-8' }))
  await twin.goto(page.url())
  return twin
}

/** The first text of a page that says what is wrong: of a summary, or beside a field. */
export const problem = (page: Page) => page.locator('[role=alert], [id$="-problem"]').first()
