import { argon2Sync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readFlash } from '#lib/http/flash'
import { type Arrival, type Browser, openBrowser } from '#lib/testing/browser/browser'
import { placeOf, shareFlow } from '#lib/testing/browser/flow'
import { callback } from '#lib/testing/process/postern'

const start = shareFlow()

async function setUp() {
  const started = await start()
  const { context, browser } = started
  return {
    ...started,
    page: await browser.authorize(),
    flash: (one: Browser = browser) => readFlash(context, one.cookies(), 'signin'),
    from: (address: string) => openBrowser(context, address),
  }
}

describe('a wrong username or password', () => {
  it.each([
    ['a wrong password', { password: 'wrong horse battery' }],
    ['an unknown username', { username: 'nobody' }],
    ['both halves wrong', { username: 'nobody', password: 'x' }],
    ['the password of another', { username: 'bob' }],
    ['a password in another case', { password: 'Correct horse battery' }],
    ['a username that is hostile', { username: `"><script>' OR 1=1 --` }],
    ['a username without end', { username: 'a'.repeat(5000) }],
    ['a password without end', { password: 'correct horse battery'.padEnd(60_000, 'x') }],
  ])('gives the same answer for %s, keeps the username, and never the password', async (_, pair) => {
    const { browser, page, flash } = await setUp()
    const again = await browser.signIn(page, pair)
    expect([placeOf(again), again.trail]).toEqual(['/signin', ['/signin/submit']])
    expect(again.parameters.request).toBe(page.parameters.request)
    const kept = { username: ('username' in pair ? pair.username : 'ada').slice(0, 200) }
    expect(await flash()).toMatchObject({ form: 'signin', problems: [{ field: 'username', code: 'wrong' }], kept })
    expect(JSON.stringify(await flash())).not.toContain('horse')
    expect(await browser.shownSession()).toBeUndefined()
  })

  it('gives the same answer for a disabled person with the right password', async () => {
    const { browser, page, flash, prisma } = await setUp()
    await prisma.person.updateMany({ data: { disabledAt: new Date() } })
    expect(placeOf(await browser.signIn(page))).toBe('/signin')
    expect((await flash())?.problems).toEqual([{ field: 'username', code: 'wrong' }])
  })

  it.each([
    ['username_missing', { username: '' }],
    ['username_missing', { username: '', password: '' }],
    ['password_missing', { password: '' }],
  ])('shows %s beside its field, and does not count it', async (code, fields) => {
    const { browser, page, flash, prisma } = await setUp()
    await browser.signIn(page, fields)
    expect((await flash())?.problems).toEqual([{ field: code.split('_')[0], code }])
    expect(await prisma.attempt.count()).toBe(0)
  })

  it('is no longer reported after the right one', async () => {
    const { browser, page, flash } = await setUp()
    await browser.signIn(page, { password: 'x' })
    await browser.signIn(page)
    await browser.authorize({ prompt: 'login' })
    expect(await flash()).toBeUndefined()
    const { cookieLines } = await browser.signIn(page)
    // No line about the flash.
    expect(cookieLines.map((line) => line.split('=')[0])).toEqual(['postern-session', 'postern-known'])
  })

  it('is shown on its own page only, and not on the way to another app or page', async () => {
    const { browser, page, context } = await setUp()
    const again = await browser.signIn(page, { password: 'x' })
    const saidOn = async ({ url }: Arrival) => {
      const shown = { page: url.pathname + url.search, person: undefined }
      return (await readFlash(context, browser.cookies(), 'signin', shown))?.problems
    }
    expect(await saidOn(again)).toMatchObject([{ code: 'wrong' }])
    expect(await saidOn(await browser.authorize({ state: 'another' }))).toBeUndefined()
    // A choice of language on the page removes ui_locales from its URL.
    const wished = await browser.signIn(await browser.authorize({ ui_locales: 'ja' }), { password: 'x' })
    expect(wished.parameters.ui_locales).toBe('ja')
    wished.url.searchParams.delete('ui_locales')
    expect(await saidOn(wished)).toMatchObject([{ code: 'wrong' }])
  })

  it('is shown for two minutes, in its own form only', async () => {
    const { browser, page, flash, context, later } = await setUp()
    await browser.signIn(page, { password: 'x' })
    expect(await readFlash(context, browser.cookies(), 'consent')).toBeUndefined()
    later(119)
    expect(await flash()).toBeDefined()
    later(1)
    expect(await flash()).toBeUndefined()
  })
})

it.each(['ada', ' ADA ', 'Ａda'])('accepts the username written as %j', async (username) => {
  const { browser, page } = await setUp()
  expect(placeOf(await browser.signIn(page, { username }))).toBe('/consent')
})

it('tells the app access_denied on cancel, with state and iss', async () => {
  const { browser, page } = await setUp()
  const back = await browser.post('/signin/submit', { request: page.parameters.request, action: 'cancel' })
  expect(placeOf(back)).toBe(callback)
  expect(back.parameters).toMatchObject({ error: 'access_denied', state: 'state', iss: 'http://localhost:3000' })
})

it.each(['/signin/submit', '/signup/submit', '/choose/submit'])(
  'rejects a form to %s without origin headers',
  async (path) => {
    const { browser } = await start()
    const fields = { to: '/account', username: 'ada', password: 'correct horse battery' }
    expect(placeOf(await browser.post(path, fields, { origin: 'null' }))).toBe('/error')
    expect(placeOf(await browser.post(path, fields, {}))).toBe('/error')
    expect(await browser.shownSession()).toBeUndefined()
  },
)

describe('the session', () => {
  it('ends as the least recently used one when a sixth account signs in', async () => {
    const { browser, context, prisma } = await start()
    await browser.signIn(await browser.authorize({ prompt: 'login' }))
    const passwordHash = (await context.signIn.findCredentials('ada', context.now()))?.passwordHash as string
    const people = Array.from({ length: 5 }, (_, index) => ({ id: `sixth-${index}`, username: `one-of-six-${index}` }))
    for (const person of people) {
      await context.signUps.create({ ...person, passwordHash, locale: 'en' }, context.now())
      await browser.signIn(await browser.authorize({ prompt: 'login' }), { username: person.username })
    }
    expect(await prisma.session.count({ where: { endedAt: null } })).toBe(5)
    expect(await prisma.session.count({ where: { endedAt: null, person: { username: 'ada' } } })).toBe(0)
    await prisma.person.deleteMany({ where: { id: { startsWith: 'sixth-' } } })
  })

  it('is replaced at every sign-in', async () => {
    const { browser, page, prisma, from } = await setUp()
    await browser.signIn(page)
    const [sealed, shown] = [browser.jar.get('postern-session') as string, await browser.shownSession()]
    await browser.signIn(await browser.authorize({ prompt: 'login' }))
    expect(await browser.shownSession()).not.toBe(shown)
    const thief = from('198.51.100.9')
    thief.jar.set('postern-session', sealed)
    expect(await thief.shownSession()).toBeUndefined()
    expect(await prisma.session.count({ where: { endedAt: null } })).toBe(1)
  })

  it('is never a session that an attacker put into the browser before', async () => {
    const { browser, page, from } = await setUp()
    const attacker = from('198.51.100.9')
    await attacker.signIn(await attacker.authorize(), { username: 'bob', password: 'staple horse battery' })
    browser.jar.set('postern-session', attacker.jar.get('postern-session') as string)
    await browser.signIn(page)
    expect(browser.jar.get('postern-session')).not.toBe(attacker.jar.get('postern-session'))
    expect(await attacker.shownSession()).not.toBe(await browser.shownSession())
  })

  it('ends after 14 days without use, and after 30 in any case', async () => {
    const { browser, page, later } = await setUp()
    const [day, signedIn] = [86_400, async () => (await browser.shownSession()) !== undefined]
    await browser.signIn(page)
    for (const days of [13, 13]) {
      later(days * day)
      expect(await signedIn()).toBe(true)
    }
    later(4 * day - 1)
    expect(await signedIn()).toBe(true)
    later(1)
    expect(await signedIn()).toBe(false)
    await browser.signIn(await browser.authorize())
    later(14 * day)
    expect(await signedIn()).toBe(true)
    later(14 * day + 1)
    expect(await signedIn()).toBe(false)
    expect(placeOf(await browser.authorize())).toBe('/signin')
  })

  it('stores its last use at intervals, not with every page', async () => {
    const { browser, page, prisma, later } = await setUp()
    await browser.signIn(page)
    const seen = async () => (await prisma.session.findFirstOrThrow()).lastSeenAt
    const first = await seen()
    later(300)
    await browser.authorize()
    expect(await seen()).toEqual(first)
    later(1)
    await browser.authorize()
    expect(await seen()).toEqual(new Date(first.getTime() + 301_000))
  })

  it('is invalid once the person is disabled', async () => {
    const { browser, page, prisma } = await setUp()
    await browser.signIn(page)
    await prisma.person.updateMany({ data: { disabledAt: new Date() } })
    expect(placeOf(await browser.authorize())).toBe('/signin')
  })

  it.each(['', 'junk', 'Fe26.2*1*x', 'a~2', '%', `Fe26.2*${'*'.repeat(7)}~2`, 'x'.repeat(4000)])(
    'rejects %j as a session',
    async (cookie) => {
      const { browser } = await setUp()
      browser.jar.set('postern-session', cookie)
      expect(placeOf(await browser.authorize())).toBe('/signin')
      expect(placeOf(await browser.post('/logout/submit', {}))).toBe('/logout')
    },
  )
})

it('rehashes a password that was stored with weaker parameters, and keeps the date on which it was set', async () => {
  const { browser, page, prisma } = await setUp()
  const salt = Buffer.alloc(16, 7)
  const weak = { message: 'correct horse battery', nonce: salt, memory: 8192, passes: 1, parallelism: 1, tagLength: 32 }
  const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  const passwordHash = `$argon2id$v=19$m=8192,t=1,p=1$${base64(salt)}$${base64(argon2Sync('argon2id', weak))}`
  const passwordSetAt = new Date('2026-01-02T03:04:05Z')
  await prisma.person.update({ where: { username: 'ada' }, data: { passwordHash, passwordSetAt } })
  expect(placeOf(await browser.signIn(page))).toBe('/consent')
  const { passwordHash: after, passwordSetAt: setAt } = await prisma.person.findUniqueOrThrow({
    where: { username: 'ada' },
  })
  expect(after).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,/)
  expect(setAt).toEqual(passwordSetAt)
  expect(placeOf(await browser.signIn(await browser.authorize({ prompt: 'login' })))).toBe('/consent')
})
