import { argon2Sync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { sha256 } from '#lib/oauth/pkce'
import { type Browser, openBrowser } from '#lib/testing/browser'
import { placeOf, shareJourney } from '#lib/testing/journey'
import { callback } from '#lib/testing/postern'
import { readFlash } from './flash.ts'

const start = shareJourney()

async function setUp() {
  const travelling = await start()
  const { context, browser } = travelling
  return {
    ...travelling,
    page: await browser.authorize(),
    flash: (one: Browser = browser) => readFlash(context, one.cookies(), 'signin'),
    from: (address: string) => openBrowser(context, address),
  }
}

describe('a wrong pair', () => {
  test.each([
    ['a wrong password', { password: 'wrong horse battery' }],
    ['an unknown username', { username: 'nobody' }],
    ['both halves wrong', { username: 'nobody', password: 'x' }],
    ['the password of another', { username: 'bob' }],
    ['a password in another case', { password: 'Correct horse battery' }],
    ['a username that is hostile', { username: `"><script>' OR 1=1 --` }],
    ['a username without end', { username: 'a'.repeat(5000) }],
    ['a password without end', { password: 'correct horse battery'.padEnd(60_000, 'x') }],
  ])('%s is answered with the same words; the username is kept, the password never', async (_, pair) => {
    const { browser, page, flash } = await setUp()
    const again = await browser.signIn(page, pair)
    expect([placeOf(again), again.trail]).toEqual(['/signin', ['/signin/submit']])
    expect(again.parameters.request).toBe(page.parameters.request)
    const kept = { username: ('username' in pair ? pair.username : 'ada').slice(0, 200) }
    expect(await flash()).toMatchObject({ form: 'signin', problems: [{ field: 'username', code: 'wrong' }], kept })
    expect(JSON.stringify(await flash())).not.toContain('horse')
    expect(await browser.shownSession()).toBeUndefined()
  })

  test('of a disabled person is answered like that too, though it is right', async () => {
    const { browser, page, flash, prisma } = await setUp()
    await prisma.person.updateMany({ data: { disabledAt: new Date() } })
    expect(placeOf(await browser.signIn(page))).toBe('/signin')
    expect((await flash())?.problems).toEqual([{ field: 'username', code: 'wrong' }])
  })

  test.each([
    ['username_missing', { username: '' }],
    ['username_missing', { username: '', password: '' }],
    ['password_missing', { password: '' }],
  ])('%s is said beside its field, and not counted', async (code, fields) => {
    const { browser, page, flash, prisma } = await setUp()
    await browser.signIn(page, fields)
    expect((await flash())?.problems).toEqual([{ field: code.split('_')[0], code }])
    expect(await prisma.attempt.count()).toBe(0)
  })

  test('is not spoken of any more after the right one', async () => {
    const { browser, page, flash } = await setUp()
    await browser.signIn(page, { password: 'x' })
    await browser.signIn(page)
    await browser.authorize({ prompt: 'login' })
    expect(await flash()).toBeUndefined()
    expect((await browser.signIn(page)).cookieLines).toHaveLength(1)
  })

  test('says so for two minutes, and to its own form only', async () => {
    const { browser, page, flash, context, later } = await setUp()
    await browser.signIn(page, { password: 'x' })
    expect(await readFlash(context, browser.cookies(), 'consent')).toBeUndefined()
    later(119)
    expect(await flash()).toBeDefined()
    later(1)
    expect(await flash()).toBeUndefined()
  })
})

test.each(['ada', ' ADA ', 'Ａda'])('the username may be written %j', async (username) => {
  const { browser, page } = await setUp()
  expect(placeOf(await browser.signIn(page, { username }))).toBe('/consent')
})

test('cancel tells the app access_denied, with state and iss', async () => {
  const { browser, page } = await setUp()
  const back = await browser.post('/signin/submit', { request: page.parameters.request, action: 'cancel' })
  expect(placeOf(back)).toBe(callback)
  expect(back.parameters).toMatchObject({ error: 'access_denied', state: 'state', iss: 'http://localhost:3000' })
})

describe('failures', () => {
  test('ten are free, the eleventh waits; other addresses and the owner of the account do not', async () => {
    const { browser, page, flash, from } = await setUp()
    for (let failure = 1; failure <= 10; failure++) {
      await browser.signIn(page, { password: 'x' })
      expect((await flash())?.problems).toEqual([{ field: 'username', code: 'wrong' }])
    }
    await browser.signIn(page, { password: 'x' })
    expect((await flash())?.problems).toEqual([{ code: 'wait', wait: expect.any(Number) }])
    const bob = from('198.51.100.7')
    const right = { username: 'bob', password: 'staple horse battery' }
    expect(placeOf(await bob.signIn(await bob.authorize(), right))).toBe('/consent')
    const ada = from('198.51.100.8')
    expect(placeOf(await ada.signIn(await ada.authorize()))).toBe('/consent')
  })

  test('from one address make it wait, whichever account is tried, right or wrong', async () => {
    const { browser, page, flash, context } = await setUp()
    for (let failure = 1; failure <= 20; failure++) await context.signInDelay.fail('address:192.0.2.1')
    expect(placeOf(await browser.signIn(page))).toBe('/signin')
    expect((await flash())?.problems).toEqual([{ code: 'wait', wait: expect.any(Number) }])
  })

  test('beyond the free ones are looked at one by one, however many come at once', async () => {
    const { browser, page, context, prisma, from } = await setUp()
    for (let failure = 1; failure <= 10; failure++) await context.signInDelay.fail('address:192.0.2.1')
    const { request } = page.parameters
    await Promise.all(
      Array.from({ length: 30 }, () => {
        const other = from('192.0.2.1')
        for (const [name, value] of browser.jar) other.jar.set(name, value)
        return other.post('/signin/submit', { request, username: 'ada', password: 'x' })
      }),
    )
    const counted = await prisma.attempt.findUniqueOrThrow({ where: { key: 'sign-in-failures:address:192.0.2.1' } })
    expect(counted.points).toBe(11)
  })

  test('are counted for a network: nobody has just one address of IPv6', async () => {
    const { context, flash, from } = await setUp()
    for (let failure = 1; failure <= 20; failure++) await context.signInDelay.fail('address:2001:db8:0:1::/64')
    const [same, other] = [from('2001:db8:0:1::7'), from('2001:db8:0:2::7')]
    expect(placeOf(await same.signIn(await same.authorize()))).toBe('/signin')
    expect((await flash(same))?.problems).toEqual([{ code: 'wait', wait: expect.any(Number) }])
    expect(placeOf(await other.signIn(await other.authorize()))).toBe('/consent')
  })

  test('with a username say nothing about the address it belongs to', async () => {
    const { context, flash, from } = await setUp()
    const stranger = from('198.51.100.9')
    const page = await stranger.authorize()
    for (let failure = 1; failure <= 110; failure++) await context.signInDelay.fail(`account:${sha256('ada')}`, 100)
    await stranger.signIn(page, { password: 'x' })
    expect((await flash(stranger))?.problems).toEqual([{ code: 'wait', wait: expect.any(Number) }])
    await stranger.signIn(page, { username: 'ada@example.org', password: 'x' })
    expect((await flash(stranger))?.problems).toEqual([{ field: 'username', code: 'wrong' }])
  })

  test('make the wait double up to a minute, and success forgets them', async () => {
    const { context } = await setUp()
    const waits: number[] = []
    for (let failure = 1; failure <= 19; failure++) waits.push(await context.signInDelay.fail('k'))
    expect(waits).toEqual([...Array(10).fill(0), 1, 2, 4, 8, 16, 32, 60, 60, 60])
    expect(await context.signInDelay.waitFor('k')).toBeGreaterThan(0)
    expect(await context.signInDelay.waitFor('other')).toBe(0)
    await context.signInDelay.reset('k')
    expect(await context.signInDelay.fail('k')).toBe(0)
  })

  test('are forgotten with success', async () => {
    const { browser, page, prisma } = await setUp()
    await browser.signIn(page, { password: 'x' })
    expect(await prisma.attempt.count()).toBe(2)
    await browser.signIn(page)
    expect(await prisma.attempt.count()).toBe(0)
  })
})

describe('the session', () => {
  test('changes with every sign-in, and the one before ends', async () => {
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

  test('that somebody put into the browser beforehand is not the one that is signed in', async () => {
    const { browser, page, from } = await setUp()
    const attacker = from('198.51.100.9')
    await attacker.signIn(await attacker.authorize(), { username: 'bob', password: 'staple horse battery' })
    browser.jar.set('postern-session', attacker.jar.get('postern-session') as string)
    await browser.signIn(page)
    expect(browser.jar.get('postern-session')).not.toBe(attacker.jar.get('postern-session'))
    expect(await attacker.shownSession()).not.toBe(await browser.shownSession())
  })

  test('ends after 14 days unused, and after 30 in any case', async () => {
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

  test('is written down as seen now and then, not with every page', async () => {
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

  test('of a disabled person is none', async () => {
    const { browser, page, prisma } = await setUp()
    await browser.signIn(page)
    await prisma.person.updateMany({ data: { disabledAt: new Date() } })
    expect(placeOf(await browser.authorize())).toBe('/signin')
  })

  test.each(['', 'junk', 'Fe26.2*1*x', 'a~2', '%', `Fe26.2*${'*'.repeat(7)}~2`, 'x'.repeat(4000)])(
    '%j is none',
    async (cookie) => {
      const { browser } = await setUp()
      browser.jar.set('postern-session', cookie)
      expect(placeOf(await browser.authorize())).toBe('/signin')
      expect(placeOf(await browser.post('/signout/submit', {}))).toBe('/signout')
    },
  )
})

test('a password kept with weaker parameters is kept anew when it is given', async () => {
  const { browser, page, prisma } = await setUp()
  const salt = Buffer.alloc(16, 7)
  const weak = { message: 'correct horse battery', nonce: salt, memory: 8192, passes: 1, parallelism: 1, tagLength: 32 }
  const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  const passwordHash = `$argon2id$v=19$m=8192,t=1,p=1$${base64(salt)}$${base64(argon2Sync('argon2id', weak))}`
  await prisma.person.update({ where: { username: 'ada' }, data: { passwordHash } })
  expect(placeOf(await browser.signIn(page))).toBe('/consent')
  const { passwordHash: after } = await prisma.person.findUniqueOrThrow({ where: { username: 'ada' } })
  expect(after).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,/)
  expect(placeOf(await browser.signIn(await browser.authorize({ prompt: 'login' })))).toBe('/consent')
})
