import { randomUUID } from 'node:crypto'
import type { Browser } from '@playwright/test'
import { locales } from '#lib/text/messages'
import { expect, test } from './postern.ts'
import { signUp } from './sign-in.ts'
import { requestOf } from './walker.ts'

/** Returns a page without the nonce of its scripts. */
async function read(url: string, headers: Record<string, string> = {}) {
  const answer = await fetch(url, { headers, redirect: 'manual' })
  const html = await answer.text()
  const [, nonce = ''] = /'nonce-([\w-]+)'/.exec(answer.headers.get('content-security-policy') ?? '') ?? []
  expect([answer.status, nonce.length]).toEqual([200, 22])
  const names = [...answer.headers.keys()].filter((name) => name !== 'keep-alive')
  return { nonce, html: html.replaceAll(nonce, 'nonce'), names }
}

const paths = ['/', '/signin', '/signin?to=%2Faccount', '/signin?to=/console']

for (const path of paths) {
  test(`a stranger’s ${path} is what Next renders for everyone, in each language`, async ({ postern }) => {
    const url = postern.accountUrl + path
    const pages: string[] = []
    for (const language of [...locales, 'en-GB', 'xx']) {
      const headers = { 'accept-language': language }
      // The front door keeps no page of a browser that sends an unknown cookie of ours.
      const rendered = await read(url, { ...headers, cookie: 'postern-unknown=1' })
      const planted = {
        ...headers,
        'user-agent': 'Googlebot',
        rsc: '1',
        'next-router-prefetch': '1',
        accept: 'text/plain',
      }
      const strangers = [
        await read(url, planted),
        ...(await Promise.all(Array.from({ length: 8 }, () => read(url, headers)))),
      ]
      for (const { html, names } of strangers) expect([html, names]).toEqual([rendered.html, rendered.names])
      expect(new Set(strangers.map(({ nonce }) => nonce)).size).toBe(strangers.length)
      pages.push(rendered.html)
    }
    expect(new Set(pages).size).toBeGreaterThanOrEqual(locales.length)
  })
}

for (const path of paths) {
  test(`a stranger’s ${path} is what Next renders with the theme, language and time zone of the browser`, async ({
    postern,
  }) => {
    const pages: string[] = []
    for (const look of ['postern_theme=dark', 'postern_language=zh-TW', 'postern_language=ja; postern_theme=light']) {
      const cookie = `postern-browser=${'a'.repeat(43)}; postern_zone=Asia/Tokyo; ${look}`
      const url = postern.accountUrl + path
      const [rendered, ...kept] = [
        await read(url, { cookie: `${cookie}; postern-unknown=1` }),
        await read(url, { cookie }),
        await read(url, { cookie: look }),
      ]
      for (const { html, names } of kept) expect([html, names]).toEqual([rendered.html, rendered.names])
      pages.push(rendered.html)
    }
    expect(new Set(pages).size).toBe(3)
  })
}

/** Follows an app's request as a new browser does, to the sign-in page. */
async function arriveAtSignIn(query: URLSearchParams, issuer: string, headers: Record<string, string>, held = '') {
  let cookie = held
  let url = new URL(`${issuer}/oauth2/authorize?${query}`)
  while (url.pathname !== '/signin') {
    const answer = await fetch(url, { headers: { ...headers, cookie }, redirect: 'manual' })
    cookie ||= answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    url = new URL(answer.headers.get('location') ?? '', url)
  }
  return { url: url.href, cookie, sealed: url.searchParams.get('request') ?? '' }
}

test('the sign-in page of an app is what Next renders, with the request of each browser', async ({ postern }) => {
  for (const uiLocales of [undefined, ...locales]) {
    const headers = { 'accept-language': 'de' }
    const asked = () => requestOf(postern, { state: randomUUID(), ...(uiLocales && { ui_locales: uiLocales }) })
    const arrive = () => arriveAtSignIn(asked(), postern.issuer, headers)
    const arrivals = await Promise.all(Array.from({ length: 9 }, arrive))
    const [first, ...strangers] = arrivals.map(({ url, cookie, sealed }, index) => async () => {
      // The front door keeps no page of a browser with an unknown cookie of ours.
      const all = `${cookie}; postern_zone=Asia/Tokyo; postern_theme=dark`
      const sent = index === 0 ? `${all}; postern-unknown=1` : all
      const { html, nonce, names } = await read(url, { ...headers, cookie: sent })
      expect(html).toContain(sealed)
      return { html: html.replaceAll(sealed, 'sealed'), nonce, names }
    })
    const rendered = await first?.()
    const pages = [await strangers.pop()?.(), ...(await Promise.all(strangers.map((open) => open())))]
    for (const page of pages) expect([page?.html, page?.names]).toEqual([rendered?.html, rendered?.names])
    expect(new Set(pages.map((page) => page?.nonce)).size).toBe(8)
    expect(new Set(arrivals.map(({ sealed }) => sealed)).size).toBe(9)
  }
})

/** Writes the escapes of React as the front door writes those in the values of an account. */
const asNumbers = (html: string) =>
  html.replaceAll(/&(?:amp|quot|lt|gt|#x27);/g, (escaped) => {
    const character = { '&amp;': '&', '&quot;': '"', '&lt;': '<', '&gt;': '>' }[escaped] ?? "'"
    return `&#${character.charCodeAt(0)};`
  })

/** React writes the attributes of the link to a picture in one of two orders, by how soon the account was read. */
const inOneOrder = (html: string) =>
  html.replaceAll(/<link rel="preload" as="image" href="([^"]+)"\/>/g, '<link rel="preload" href="$1" as="image"/>')

const comparable = (html: string) => inOneOrder(asNumbers(html))

type Remembered = { name?: string; hasPicture?: boolean }
const hostile = `O’Neil "山田" <b>'&amp; $& $1`

/**
 * Signs a new person up in a new browser for each of these people, and out again. Returns their usernames, the latest first, and
 * the cookies by which the browser remembers them.
 */
async function rememberIn(browser: Browser, accountUrl: string, people: Remembered[]) {
  const context = await browser.newContext()
  const page = await context.newPage()
  const usernames: string[] = []
  for (const { name, hasPicture } of people) {
    usernames.unshift(await signUp(page, accountUrl, '/account/profile'))
    if (name) {
      await page.locator('[name=name]').fill(name)
      await page.locator('#profile-save').click()
    }
    if (hasPicture) {
      await page.locator('#picture-change').click()
      await page.locator('#picture').setInputFiles('deploy/brand/letter-logo.png')
      await page.locator('#picture-save').click()
      await expect(page.locator('#picture-remove')).toBeVisible()
    }
    await page.goto(`${accountUrl}/logout`)
    await page.locator('#logout-confirm').click()
  }
  const held = (await context.cookies()).filter(({ name }) => ['postern-browser', 'postern-known'].includes(name))
  await context.close()
  return { usernames, cookie: held.map(({ name, value }) => `${name}=${value}`).join('; ') }
}

const kinds = {
  'an account without a name': [{}],
  'a name with HTML': [{ name: hostile }],
  'a picture': [{ hasPicture: true }],
  'a name and a picture': [{ name: 'Zoë', hasPicture: true }],
  'two accounts': [{}, { name: hostile }],
}
for (const [kind, people] of Object.entries(kinds) as [string, Remembered[]][]) {
  test(`the sign-in page with ${kind} is what Next renders, with the accounts that each browser remembers`, async ({
    browser,
    postern,
  }) => {
    test.slow()
    const [first, ...others] = [
      await rememberIn(browser, postern.accountUrl, people),
      await rememberIn(browser, postern.accountUrl, people),
      await rememberIn(browser, postern.accountUrl, people),
    ]
    const headers = { 'accept-language': 'zh-TW' }
    const findAccount = async () => `${postern.accountUrl}/signin?to=/console`
    const findApp = async (cookie: string) =>
      (await arriveAtSignIn(requestOf(postern, { state: randomUUID() }), postern.issuer, headers, cookie)).url
    /** Chooses a face, by its position in the list: 0 is the first, and -1 the last. */
    const withFace = (find: typeof findApp, at: number) => async (cookie: string) => {
      const url = await find(cookie)
      const { html } = await read(url, { ...headers, cookie: `${cookie}; postern-unknown=1` })
      const marks = html.match(/(?<=value=")[\w-]{12}(?="[^>]*name="who")/g)
      expect(marks).not.toBeNull()
      return `${url}&who=${marks?.at(at)}`
    }
    const chosen = [findAccount, findApp].flatMap((find) => [withFace(find, 0), withFace(find, -1)])
    for (const find of [findAccount, findApp, ...chosen]) {
      const open = async ({ usernames, cookie }: Remembering) => {
        const url = await find(cookie)
        return { usernames, url, kept: () => read(url, { ...headers, cookie }), own: `${cookie}; postern-unknown=1` }
      }
      const warm = await open(first as Remembering)
      const visits = await Promise.all(others.map(open))
      await warm.kept()
      const kept = await Promise.all(visits.map((visit) => visit.kept()))
      for (const [index, { usernames, url, own }] of visits.entries()) {
        const rendered = await read(url, { ...headers, cookie: own })
        expect([comparable(String(kept[index]?.html)), kept[index]?.names]).toEqual([
          comparable(rendered.html),
          rendered.names,
        ])
        expect([...new Set(rendered.html.match(/guest-[a-z2-4]{10}/g))]).toEqual(usernames)
        expect(rendered.html.includes('&#x27;&amp;amp;')).toBe(people.some(({ name }) => name === hostile))
        // Only the front door writes an apostrophe like this.
        expect(kept[index]?.html.includes('&#39;&#38;amp;')).toBe(people.some(({ name }) => name === hostile))
      }
    }
  })
}

type Remembering = Awaited<ReturnType<typeof rememberIn>>

test('shows no account that a client sends in a header', async ({ postern }) => {
  const planted = JSON.stringify([{ id: '', mark: 'm', username: 'planted', name: '', initials: 'P' }])
  for (const cookie of ['', 'postern-unknown=1'])
    for (const sent of [planted, 'no JSON']) {
      const { html } = await read(`${postern.accountUrl}/signin`, { cookie, 'x-postern-placeholders': sent })
      expect(html).not.toContain('planted')
    }
})
