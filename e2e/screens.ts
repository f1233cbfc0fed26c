// Walks through every page once for each look, and keeps a picture of every state in docs/screens.
import { mkdir, rm } from 'node:fs/promises'
import { chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { findChromium } from '../bin/find-chromium.mjs'
import { demoPerson } from '../lib/demo/seed.ts'
import { whenRelayHas } from './hidden-address.ts'
import { ServerProcess } from './server-process.ts'
import { signIn } from './sign-in.ts'

const looks = {
  'desktop-light-en': { viewport: { width: 1280, height: 860 }, locale: 'en', colorScheme: 'light' },
  'phone-dark-ja': { viewport: { width: 390, height: 780 }, locale: 'ja', colorScheme: 'dark' },
  'small-light-zh-TW': { viewport: { width: 320, height: 640 }, locale: 'zh-TW', colorScheme: 'light' },
  'desktop-dark-zh-CN': { viewport: { width: 1280, height: 860 }, locale: 'zh-CN', colorScheme: 'dark' },
} as const

const folder = 'docs/screens'
const password = 'the gate stands ajar'

type Walk = { page: Page; server: ServerProcess; keep(name: string): Promise<void>; username: string }

async function main() {
  const executablePath = await findChromium()
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const server = await ServerProcess.start({ DEMO: '1' })
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const [look, options] of Object.entries(looks)) {
    const context = await browser.newContext({ ...options, timezoneId: 'UTC', baseURL: server.accountUrl })
    const page = await context.newPage()
    let count = 0
    const keep = async (name: string) => {
      const png = await page.screenshot({ fullPage: true, animations: 'disabled' })
      const number = String(++count).padStart(2, '0')
      await sharp(png).webp({ quality: 80 }).toFile(`${folder}/${look}-${number}-${name}.webp`)
    }
    const walk = { page, server, keep, username: `visitor-${look.toLowerCase()}`.slice(0, 32) }
    for (const part of [entrance, binding, account, relayAddresses, security, again, deadEnds]) await part(walk)
    await context.close()
    console.log(`${look}: ${count} pictures`)
  }
  await browser.close()
  await server.remove()
}

async function entrance({ page, server, keep, username }: Walk) {
  await page.goto('/')
  await keep('home')
  await page.goto(server.demoUrl)
  await page.locator('button').first().click()
  await keep('sign-in')
  await signIn(page, { username, password: 'wrong' })
  await keep('sign-in-wrong')
  await page.locator('a[href^="/signup"]').click()
  await keep('sign-up')
  await page.locator('[name=username]').fill('adm1n')
  await page.locator('[name=password]').fill('password1')
  await page.locator('#signup-submit').click()
  await keep('sign-up-problems')
  await page.locator('[name=username]').fill(username)
  await page.locator('[name=password]').fill(password)
  await page.locator('#signup-submit').click()
  await keep('consent')
}

async function binding({ page, keep, username }: Walk) {
  const address = `${username}@example.org`
  await page.locator('[name=email_choice][value=hidden]').check()
  await keep('consent-hidden')
  await page.locator('#consent-allow').click()
  await page.locator('[name=address]').fill(address)
  await keep('bind-email')
  await page.locator('#bind-submit').click()
  await page.locator('[name=code]').fill('000000')
  await page.locator('form button[type=submit]').first().click()
  await keep('bind-email-wrong-code')
  const inbox = await page.context().newPage()
  await inbox.goto('/dev/inbox')
  await inbox.getByRole('listitem').filter({ hasText: address }).first().getByRole('link').click()
  const code = /^\s*(\d{6})$/m.exec((await inbox.locator('pre').textContent()) ?? '')?.[1] ?? ''
  await inbox.close()
  await page.locator('[name=code]').fill(code)
  await page.locator('form button[type=submit]').first().click()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await keep('demo-app')
}

async function account({ page, keep }: Walk) {
  const paths = { profile: '', email: '/email', 'email-change': '/email/change', apps: '/apps', app: '/apps/demo-app' }
  for (const [name, path] of Object.entries(paths)) {
    await page.goto(`/account${path}`)
    await keep(`account-${name}`)
  }
  await page.goto('/account/email/change')
  await page.locator('[name=address]').fill('anybody@relay.localhost')
  await page.locator('#email-submit').click()
  await keep('account-email-change-problem')
  for (const name of ['activity', 'data', 'data/delete']) {
    await page.goto(`/account/${name}`)
    await keep(`account-${name.replace('/', '-')}`)
  }
}

async function relayAddresses({ page, server, keep, username }: Walk) {
  await page.goto('/account/hide-my-email')
  await keep('hide-my-email')
  await page.locator('main h2 a').first().click()
  await keep('relay-address')
  await page.locator('#alias-switch').click()
  await keep('relay-address-off')
  await page.locator('#alias-switch').click()
  await page.locator('button[commandfor=alias-share-dialog]').first().click()
  await keep('relay-address-share')
  await page.locator('#alias-share').click()
  await page.locator('#alias-hide').waitFor()
  await keep('relay-address-regular')
  await page.locator('#alias-hide').click()
  await page.locator('button[commandfor=alias-share-dialog]').first().waitFor()
  await whenRelayHas(server, (prisma) =>
    prisma.person.update({ where: { username }, data: { mailPausedAt: new Date() } }),
  )
  await page.goto('/account/hide-my-email')
  await keep('hide-my-email-paused')
  await page.locator('#email-confirm').click()
  await keep('account-email-confirm')
}

async function security({ page, keep }: Walk) {
  for (const name of ['', '/password', '/passkeys', '/authenticator', '/codes']) {
    await page.goto(`/account/security${name}`)
    await keep(`security${name.replace('/', '-')}`)
  }
  await page.locator('#codes-make').click()
  await keep('security-codes-made')
}

async function again({ page, server, keep, username }: Walk) {
  const query = new URLSearchParams({
    client_id: 'demo-app',
    response_type: 'code',
    redirect_uri: `${server.demoUrl}/callback`,
    scope: 'openid',
    state: 'state',
    code_challenge: 'A'.repeat(43),
    code_challenge_method: 'S256',
  })
  await page.goto('/signin?to=/account&as=other')
  await signIn(page, demoPerson)
  await page.goto(`${server.issuer}/oauth2/authorize?${query}&prompt=select_account`)
  await keep('choose-account')
  await page.goto(`${server.issuer}/oauth2/authorize?${query}&prompt=login`)
  await keep('sign-in-confirm')
  await page.goto('/recover')
  await keep('recover')
  await page.locator('[name=login]').fill(username)
  await page.locator('#recover-submit').click()
  await keep('recover-code')
  await page.goto('/recover/by-code')
  await keep('recover-by-code')
  await page.goto('/signout')
  await keep('sign-out')
  await page.locator('#signout-confirm').click()
  await keep('signed-out')
}

async function deadEnds({ page, server, keep }: Walk) {
  await page.goto(`${server.issuer}/oauth2/authorize?client_id=nobody`)
  await keep('error-unknown-app')
  await page.goto(`${server.issuer}/oauth2/authorize?client_id=demo-app&redirect_uri=https://evil.example/`)
  await keep('error-redirect-uri')
  await page.goto('/no/such/page')
  await keep('not-found')
  await page.goto('/dev/inbox')
  await keep('inbox')
}

await main()
