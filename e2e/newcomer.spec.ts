import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { freePorts } from '#lib/testing/process/free-ports'
import { findNode } from '../bin/find-node.mjs'
import { expect, test } from './postern.ts'
import { newcomer, password } from './sign-in.ts'

test.use({ settings: { TEAMS: 'open' } })

const root = resolve(import.meta.dirname, '..')
const seconds = { key: 0.3, click: 1, word: 60 / 240 }

/** A person who reads each page, clicks and types. Counts what that takes, so the result does not depend on the machine. */
class Newcomer {
  readonly page: Page
  keys = 0
  clicks = 0
  words = 0

  constructor(page: Page) {
    this.page = page
  }

  get seconds() {
    return this.keys * seconds.key + this.clicks * seconds.click + this.words * seconds.word
  }

  /** Types an address, and reads the page. */
  async open(url: string) {
    this.keys += url.length + 1
    await this.page.goto(url)
    await this.read()
  }

  async type(field: string, text: string) {
    this.clicks += 1
    this.keys += text.length
    await this.page.locator(field).fill(text)
  }

  /** Clicks, and reads the page that follows. */
  async press(target: Locator, next: (url: URL) => boolean) {
    this.clicks += 1
    await target.click()
    await this.page.waitForURL(next)
    await this.read()
  }

  /** Copies a block of code with one click, and returns its text. */
  async copy(id: string): Promise<string> {
    this.clicks += 1
    await this.page.locator(`[data-copy=${id}]`).click()
    return (await this.page.locator(`#${id}`).textContent()) ?? ''
  }

  /** Pastes something elsewhere, and confirms it. */
  paste() {
    this.keys += 3
  }

  /**
   * Reads the lines that no earlier page had, because a person does not read the navigation again. Code is copied and not
   * read.
   */
  private async read() {
    const code = await this.page.locator('pre').allTextContents()
    for (const line of linesOf(code.join('\n'))) this.#seen.add(line)
    // biome-ignore lint/performance/useDomNodeTextContent: textContent also has the texts that the page hides.
    const shown = linesOf(await this.page.locator('body').innerText())
    for (const line of shown.filter((one) => !this.#seen.has(one))) {
      this.#seen.add(line)
      this.words += line.split(/\s+/).filter(Boolean).length
    }
  }

  readonly #seen = new Set<string>()
}

const linesOf = (text: string) => text.split('\n').map((line) => line.trim())

let folder = ''
let program: ChildProcess | undefined

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-newcomer-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir')
})
test.afterAll(async () => {
  program?.kill()
  await rm(folder, { recursive: true, force: true })
})

test('takes a newcomer from nothing to a working sign-in within five minutes', async ({ page, postern }) => {
  const [port = 0] = await freePorts(1)
  const person = new Newcomer(page)
  const at = (path: string | RegExp) => (url: URL) =>
    typeof path === 'string' ? url.pathname === path : path.test(url.pathname)

  await person.open(`${postern.accountUrl}/console`)
  await person.press(page.locator('a[href^="/signup"]').first(), at('/signup'))
  await person.type('[name=username]', newcomer())
  await person.type('[name=password]', password)
  await person.press(page.locator('#signup-submit'), at('/console'))

  await person.press(page.locator('a[href="/console/new-team"]'), at('/console/new-team'))
  await person.type('[name=name]', 'Garden club')
  await person.press(page.locator('#team-create'), at(/^\/console\/teams\/[^/]+$/))
  await person.press(page.locator('a[href$="/new-app"]').first(), at(/\/new-app$/))
  await person.press(page.locator('#kind-confidential'), (url) => url.searchParams.has('kind'))
  await person.type('[name=name]', 'Garden planner')
  await person.type('[name=redirect_uris]', `http://localhost:${port}/callback`)
  await person.press(page.locator('#app-register'), at(/\/credentials$/))
  const command = await person.copy('app-run')
  // The command goes to a terminal, where it waits for the program.
  person.paste()

  await person.press(page.locator('#to-connect'), at(/\/connect$/))
  await person.copy('snippet-install')
  person.paste()
  const code = await person.copy('snippet-code')
  const [, file = ''] = /(\S+\.mjs)$/.exec(command) ?? []
  person.paste()
  person.keys += file.length

  await startProgram(file, code, command)
  await person.open(`http://localhost:${port}`)
  await person.press(page.locator('a'), at('/consent'))
  await person.press(page.locator('#consent-allow'), at('/callback'))
  await expect(page.locator('body')).toContainText(/"sub":"[\w-]{20,}"/)

  const { keys, clicks, words } = person
  console.log(`a newcomer: ${keys} keys, ${clicks} clicks, ${words} words: ${Math.round(person.seconds)} s`)
  expect(person.seconds).toBeLessThan(300)
})

/** Saves the copied program and runs the copied command. */
async function startProgram(file: string, code: string, command: string) {
  await writeFile(join(folder, file), code)
  const env = { PATH: [dirname(findNode(root)), process.env.PATH].join(delimiter), NODE_ENV: 'development' as const }
  const child = spawn('sh', ['-c', `exec env ${command}`], { cwd: folder, env })
  program = child
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
