import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { freePorts } from '#lib/testing/process/free-ports'
import { findNode } from '../bin/find-node.mjs'
import { CountedPerson } from './counted-person.ts'
import { expect, test } from './postern.ts'
import { newcomer, password } from './sign-in.ts'

test.use({ settings: { TEAMS: 'open' } })

const root = resolve(import.meta.dirname, '..')
const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })

let folder = ''
let port = 0
let running: ChildProcess | undefined

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-newcomer-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir')
  await writeFile(join(folder, 'private.pem'), keys.privateKey.export({ format: 'pem', type: 'pkcs8' }))
  port = (await freePorts(1))[0] ?? 0
})
test.afterAll(async () => {
  await stop()
  await rm(folder, { recursive: true, force: true })
})

test('takes a newcomer from nothing to a working sign-in, then says in words what they get wrong', async ({
  page,
  postern,
}) => {
  const { team, app, program } = await firstFiveMinutes(page, postern.accountUrl)
  await makeMistakes(page, app, program, {
    'The final slash differs.': { code: ['/callback"', '/callback/"'] },
    'The client secret is wrong': { command: [/CLIENT_SECRET='[^']*/, "CLIENT_SECRET='wrong"] },
    'The app sent its secret in the body': { code: ['ClientSecretBasic', 'ClientSecretPost'] },
  })
  const signing = await registerWithKey(page, team)
  await makeMistakes(page, signing.app, signing.program, {
    'The clock of the app is 10 minutes behind': { code: [/^const redirectUri/m, `${slowClock}\n$&`] },
    'The app has no key with the kid “winter”': { code: [/kid: "[^"]*"/, 'kid: "winter"'] },
  })
})

/** Counts what a newcomer does and reads until their own program signs them in. */
async function firstFiveMinutes(page: Page, accountUrl: string) {
  const person = new CountedPerson(page)
  const at = (path: string | RegExp) => (url: URL) =>
    typeof path === 'string' ? url.pathname === path : path.test(url.pathname)

  await person.open(`${accountUrl}/console`)
  await person.press(page.locator('a[href^="/signup"]').first(), at('/signup'))
  await person.type('[name=username]', newcomer())
  await person.type('[name=password]', password)
  await person.press(page.locator('#signup-submit'), at('/console'))

  await person.type('[name=name]', 'Garden club')
  await person.press(page.locator('#team-create'), at(/^\/console\/teams\/[^/]+$/))
  const team = page.url()
  await person.press(page.locator('a[href$="/new-app"]').first(), at(/\/new-app$/))
  await person.press(page.locator('#kind-confidential'), (url) => url.searchParams.has('kind'))
  await person.type('[name=name]', 'Garden planner')
  await person.type('[name=redirect_uris]', `http://localhost:${port}/callback`)
  await person.press(page.locator('#app-register'), at(/\/credentials$/))
  const app = page.url().replace('/credentials', '')
  const command = await person.copy('app-run')
  // The command goes to a terminal, where it waits for the program.
  person.paste()

  await person.press(page.locator('#to-connect'), at(/\/connect$/))
  await person.copy('snippet-install')
  person.paste()
  const code = await person.copy('snippet-code')
  person.paste()
  person.keys += file.length

  await start({ code, command })
  await person.open(`http://localhost:${port}`)
  await person.press(page.locator('a'), at('/consent'))
  await person.press(page.locator('#consent-allow'), at('/callback'))
  await expect(page.locator('body')).toContainText(/"sub":"[\w-]{20,}"/)

  const { clicks, words } = person
  console.log(`a newcomer: ${person.keys} keys, ${clicks} clicks, ${words} words: ${Math.round(person.seconds)} s`)
  expect(person.seconds).toBeLessThan(300)
  return { team, app, program: { code, command } }
}

/** Registers an app that signs its proofs; returns its page and its program. */
async function registerWithKey(page: Page, team: string) {
  await page.goto(`${team}/new-app?kind=assertion`)
  await page.locator('[name=name]').fill('Garden robot')
  await page.locator('[name=redirect_uris]').fill(`http://localhost:${port}/callback`)
  await page.locator('[name=key]').fill(String(keys.publicKey.export({ format: 'pem', type: 'spki' })))
  await page.locator('#app-register').click()
  await page.waitForURL(/\/apps\//)
  const [app = ''] = /^.*\/apps\/[^/]+/.exec(page.url()) ?? []
  await page.goto(`${app}/connect`)
  const [code, command] = await Promise.all(['code', 'run'].map((id) => page.locator(`#snippet-${id}`).textContent()))
  return { app, program: { code: code ?? '', command: command ?? '' } }
}

type Program = { code: string; command: string }
type Mistake = { [Part in keyof Program]?: [string | RegExp, string] }

const slowClock = 'const now = Date.now\nDate.now = () => now() - 600_000'

/** Runs the program with one mistake after another; each sign-in fails. The failures page must show each cause in words. */
async function makeMistakes(page: Page, app: string, program: Program, mistakes: Record<string, Mistake>) {
  for (const { code, command } of Object.values(mistakes)) {
    await start({ code: changed(program.code, code), command: changed(program.command, command) })
    await page.goto(`http://localhost:${port}`)
    await page.locator('a').click()
    const allow = page.locator('#consent-allow')
    const refused = page
      .getByText('The sign-in failed.')
      .or(page.getByText('asked us to return you to an address that it hasn’t registered'))
    await expect(allow.or(refused)).toBeVisible()
    if (await allow.isVisible()) await allow.click()
    await expect(refused).toBeVisible()
  }
  await expect(async () => {
    await page.goto(`${app}/failures`)
    for (const words of Object.keys(mistakes))
      await expect(page.getByText(words).first()).toBeVisible({ timeout: 1000 })
  }).toPass({ timeout: 20_000 })
}

function changed(text: string, change: [string | RegExp, string] = ['', '']): string {
  const [from, to] = change
  const result = text.replace(from, to)
  if (from !== '') expect(result).not.toBe(text)
  return result
}

/** The name under which the pages tell to save the program. */
const file = 'openid-client.mjs'

/** Saves the copied program and runs the copied command, in place of the program that runs. */
async function start({ code, command }: Program) {
  await stop()
  await writeFile(join(folder, file), code)
  const env = { PATH: [dirname(findNode(root)), process.env.PATH].join(delimiter), NODE_ENV: 'development' as const }
  const child = spawn('sh', ['-c', `exec env ${command}`], { cwd: folder, env })
  running = child
  let output = ''
  await new Promise<void>((ready, fail) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
        if (output.includes('Open http')) ready()
      })
    child.once('exit', () => fail(new Error(`${file} ended:\n${output}`)))
  })
}

async function stop() {
  const child = running
  running = undefined
  if (!child || child.exitCode !== null) return
  const ended = new Promise((done) => child.once('exit', done))
  child.kill()
  await ended
}
