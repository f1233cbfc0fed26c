import type { Page } from '@playwright/test'
import { pageFolders, templateOf } from '#app/paths.ts'
import { freshDatabaseUrl } from '#lib/testing/databases/postgres-server'
import { type Line, openLine } from '#lib/testing/relay/line'
import { expect, expectAccessible, test } from './postern.ts'
import { ServerProcess } from './server-process.ts'
import { signIn } from './sign-in.ts'

const person = { username: 'ada', password: 'correct horse battery', name: 'Ada L.' }

const undo: (() => Promise<unknown>)[] = []
test.afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

/** Starts a server that reaches its PostgreSQL through a breakable line, and signs a browser in. */
async function setUp(page: Page, adminUrl: string) {
  const direct = await freshDatabaseUrl(adminUrl)
  const line = await openLine(Number(new URL(direct).port))
  undo.push(line.cut)
  const settings = { DATABASE_URL: line.through(direct), DATABASE_TIMEOUT_SECONDS: '1' }
  const server = await ServerProcess.start(settings)
  // Kills the server, because a stop would wait for the connections that the browser keeps open.
  undo.push(() => server.kill().then(() => server.remove()))
  await server.apply({ people: [person] })
  await page.goto(`${server.accountUrl}/account`)
  await signIn(page, person)
  await expect(page).toHaveURL(`${server.accountUrl}/account`)
  return { server, line }
}

const troubles: [string, (line: Line) => unknown][] = [
  ['is away', (line) => line.cut()],
  ['falls silent', (line) => line.fallSilent('new ones too')],
]

for (const [what, begin] of troubles) {
  test(`answers 503 on every page while PostgreSQL ${what}, and reloads by itself afterwards`, async ({
    page,
    postgres,
  }) => {
    // The test starts a server and requests pages until each of them has answered.
    test.slow()
    const { server, line } = await setUp(page, (await postgres()).url)
    const heading = page.getByRole('heading', { level: 1 })
    const usual = (await heading.textContent()) ?? ''
    const remembering = { headers: { ...html.headers, cookie: await cookiesOfAccounts(page) } }
    const faces = await (await fetch(`${server.accountUrl}/signin`, remembering)).text()
    const [, mark] = /value="([\w-]{12})"[^>]*name="who"/.exec(faces) ?? []
    expect(mark).toBeDefined()
    const signInPages = ['/signin', `/signin?who=${mark}`]
    await begin(line)
    const paths = pageFolders.map(templateOf).filter((path) => path.startsWith('/account') && !path.includes('{}'))
    expect(paths.length).toBeGreaterThan(5)
    const answers = await Promise.all(paths.map((path) => page.request.get(`${server.accountUrl}${path}`, html)))
    expect(answers.map((answer) => answer.status())).toEqual(paths.map(() => 503))
    expect(answers.map((answer) => answer.headers()['retry-after'])).toEqual(paths.map(() => '5'))
    // The front door itself looks up the account that this browser remembers.
    for (const path of signInPages) {
      const shown = await fetch(`${server.accountUrl}${path}`, remembering)
      expect([path, shown.status, shown.headers.get('refresh')]).toEqual([path, 503, '5'])
      expect(await shown.text()).toContain('isn’t available right now')
    }
    await page.goto(`${server.accountUrl}/account`)
    await expect(heading).toHaveText(/isn’t available right now/)
    await expectAccessible(page)

    await line.mend()
    // The page reloads without any action in the browser.
    await expect(heading).toHaveText(usual)
  })
}

/** Returns the cookies by which a browser remembers accounts. */
async function cookiesOfAccounts(page: Page): Promise<string> {
  const held = (await page.context().cookies()).filter(({ name }) => /^postern-(browser|known)$/.test(name))
  expect(held).toHaveLength(2)
  return held.map(({ name, value }) => `${name}=${value}`).join('; ')
}

const html = { headers: { accept: 'text/html' } }
