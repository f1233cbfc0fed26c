// Prints what ten tasks of a person's year take in a checkout, what its pages weigh, and what they do wrong at 400 %.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type BrowserContextOptions, chromium, type Page } from '@playwright/test'
import { findChromium } from '../../bin/find-chromium.mjs'
import { findNode } from '../../bin/find-node.mjs'
import { ServerProcess } from '../server-process.ts'
import { newcomer, password, signIn } from '../sign-in.ts'
import { consentOf, entrance, inside, weigh } from './weights.ts'
import { year } from './year.ts'
import { faultsOf, zoomed } from './zoom.ts'

const [checkout = '.'] = process.argv.slice(2)

async function main() {
  const executablePath = await findChromium()
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const server = await ServerProcess.start({ DEMO: '1', TEAMS: 'open' }, checkout)
  const openBrowser = async (look: BrowserContextOptions = { viewport: { width: 1280, height: 860 } }) => {
    const context = await browser.newContext({ ...look, baseURL: server.accountUrl, locale: 'en', timezoneId: 'UTC' })
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    return page
  }
  await performTasks(server, openBrowser)
  await weighPages(server, await openBrowser())
  let faults = 0
  for (const [zoom, look] of Object.entries(zoomed)) faults += await zoomPages(server, await openBrowser(look), zoom)
  await browser.close()
  await server.remove()
  if (faults > 0) process.exitCode = 1
}

async function performTasks(server: ServerProcess, openBrowser: () => Promise<Page>) {
  console.log('\n| task | clicks | keys | pages | words | seconds |\n| --- | --: | --: | --: | --: | --: |')
  for (const { name, perform } of year) {
    const page = await openBrowser()
    const apply = (declaration: object) => applyIn(server, declaration)
    const { clicks, keys, pages, words, seconds } = await perform({ page, server, apply, elsewhere: openBrowser })
    console.log(`| ${[name, clicks, keys, pages, words, Math.round(seconds)].join(' | ')} |`)
    await page.context().close()
  }
}

async function weighPages(server: ServerProcess, page: Page) {
  console.log('\n| page | HTML | CSS | JavaScript | bytes | uncompressed |\n| --- | --: | --: | --: | --: | --: |')
  for await (const { name, url } of visits(server, page)) {
    const weight = await weigh(page, url)
    if (!weight) continue
    const { html, css, js, plain } = weight
    console.log(
      `| ${[name, html, css, js, html + css + js, plain].map((one) => one.toLocaleString('en')).join(' | ')} |`,
    )
  }
}

/** Prints the faults of the zoomed pages, and returns how many there are. */
async function zoomPages(server: ServerProcess, page: Page, zoom: string): Promise<number> {
  let [count, faults] = [0, 0]
  for await (const { name, url } of visits(server, page)) {
    await page.goto(url)
    count += 1
    for (const fault of await faultsOf(page)) {
      console.log(`${zoom}: ${name}: ${fault}`)
      faults += 1
    }
  }
  console.log(`\n${zoom}: ${count} pages, ${faults} faults`)
  return faults
}

/** Yields the pages: first to a browser without a session, then to a new person. */
async function* visits(server: ServerProcess, page: Page) {
  const named = (path: string) => ({ name: path.split('?')[0] ?? '', url: server.accountUrl + path })
  yield* entrance.map(named)
  const username = newcomer()
  await applyIn(server, { people: [{ username, password, email: `${username}@example.org`, name: 'Grace Hopper' }] })
  await page.goto('/signin?to=/account/security')
  await signIn(page, { username, password })
  await page.locator('#sessions').waitFor()
  yield { name: '/consent', url: consentOf(server) }
  yield* inside.map(named)
}

/** Runs `cli apply` of the checkout, because its database has the schema of its version. */
async function applyIn({ env }: ServerProcess, declaration: object) {
  const child = spawn(findNode(checkout), ['lib/cli/main.ts', 'apply', '-'], {
    cwd: checkout,
    env,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.stdin.end(JSON.stringify(declaration))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`cli apply ended with ${code}`)
}

await main()
