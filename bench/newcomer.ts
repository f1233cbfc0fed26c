import { chromium, type Locator, type Page } from '@playwright/test'
import { findChromium } from '../bin/find-chromium.mjs'
import { ServerProcess } from '../e2e/server-process.ts'

/**
 * Seconds a practised person needs (Card, Moran and Newell, The Keystroke-Level Model, 1980) to think of the next
 * step, to point at a target, to move the hands to the keyboard and to press a key at 40 words a minute; and seconds
 * to read a word (Brysbaert 2019).
 */
const takes = { think: 1.35, point: 1.1, home: 0.4, key: 0.28, word: 60 / 238 }

/**
 * Measures how long a new person needs from the demo app's "Sign in" until the app greets them, with a hidden
 * address: in a real browser, at the pace of a person who reads each page's heading and the names of the shared data.
 */
export async function timeNewcomer(): Promise<string> {
  const executablePath = await findChromium()
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const server = await ServerProcess.start({ DEMO: '1' })
  try {
    const context = await browser.newContext({ baseURL: server.accountUrl })
    const page = await context.newPage()
    await page.goto(server.demoUrl)
    const steps: [string, number][] = []
    for (const [name, step] of Object.entries(journey)) {
      const began = performance.now()
      await step(page)
      steps.push([name, (performance.now() - began) / 1000])
    }
    return `${render(steps)}\n\nWho reads every word of what is shared needs ${unread.toFixed(1)} s more.`
  } finally {
    await browser.close()
    await server.remove()
  }
}

const address = 'grace@example.org'
let unread = 0

const journey: Record<string, (page: Page) => Promise<void>> = {
  'the demo app: “Sign in”': (page) => click(page.getByRole('button', { name: 'Sign in' })),
  'to the account: “Create account”': async (page) => {
    await read(page.locator('h1'))
    await click(page.locator('a[href^="/signup"]'))
  },
  'a username and a password of three words': async (page) => {
    await read(page.locator('h1'))
    await type(page.locator('[name=username]'), 'grace')
    await page.keyboard.press('Tab')
    await type(page.locator('[name=password]'), 'wicket orchard wall')
    await page.keyboard.press('Enter')
  },
  'what is shared; “Hide my e-mail address”': async (page) => {
    await page.locator('[name=email_choice][value=hidden]').waitFor()
    const names = page.locator('main').locator('h1, legend, label')
    unread = (await secondsToRead(page.locator('main'))) - (await secondsToRead(names))
    await read(names)
    await click(page.locator('[name=email_choice][value=hidden]'))
    await click(page.locator('#consent-allow'))
  },
  'the address to forward to': async (page) => {
    await read(page.locator('h1'))
    await type(page.locator('[name=address]'), address)
    await page.keyboard.press('Enter')
  },
  'the code from the e-mail': async (page) => {
    await page.locator('[name=code]').waitFor()
    await read(page.locator('h1'))
    const code = await readCode(await page.context().newPage())
    await pause(takes.point)
    await type(page.locator('[name=code]'), code)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Hello' }).waitFor()
  },
}

/** Opens the inbox in a second tab and the newest e-mail in it, and returns its code. */
async function readCode(inbox: Page): Promise<string> {
  await pause(takes.think + takes.point)
  await inbox.goto('/dev/inbox')
  await click(inbox.getByRole('listitem').filter({ hasText: address }).first().getByRole('link'))
  const code = /^\s*(\d{6})$/m.exec((await inbox.locator('pre').textContent()) ?? '')?.[1] ?? ''
  await pause(takes.think)
  await inbox.close()
  return code
}

async function click(target: Locator) {
  await pause(takes.think + takes.point)
  await target.click()
}

async function type(field: Locator, text: string) {
  await pause(takes.think + takes.home)
  await field.pressSequentially(text, { delay: takes.key * 1000 })
}

const read = async (text: Locator) => pause(await secondsToRead(text))

async function secondsToRead(text: Locator): Promise<number> {
  const drawn = await text.allInnerTexts()
  return drawn.join(' ').split(/\s+/).filter(Boolean).length * takes.word
}

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

function render(steps: [string, number][]): string {
  const whole = steps.reduce((sum, [, seconds]) => sum + seconds, 0)
  const rows = [...steps, ['**in all**', whole] as const].map(
    ([name, seconds]) => `| ${name} | ${seconds.toFixed(1)} |`,
  )
  return ['| somebody new, with a hidden address | seconds |', '| --- | --: |', ...rows].join('\n')
}
