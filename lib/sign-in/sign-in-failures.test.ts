import { describe, expect, it } from 'vitest'
import { sha256 } from '#lib/crypto/hash'
import { readFlash } from '#lib/http/flash'
import { failBefore } from '#lib/testing/browser/attempts'
import { type Browser, openBrowser } from '#lib/testing/browser/browser'
import { placeOf, shareFlow } from '#lib/testing/browser/flow'

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

/**
 * Counts wrong passwords for ada, each from a different network: sends only the last attempts, and stores the counts of
 * the earlier ones.
 */
async function attack({ context, from }: Awaited<ReturnType<typeof setUp>>, networks: number) {
  const real = 3
  await failBefore(context, `password:account:${sha256('ada')}`, networks - real)
  for (let network = 1; network <= real; network++) {
    const theirs = { to: '/account', username: 'ada', password: 'x' }
    expect(placeOf(await from(`198.51.${network}.1`).post('/signin/submit', theirs))).toBe('/signin')
  }
  expect(await context.attempts.pointsOf(`password:account:${sha256('ada')}`)).toBe(networks)
}

describe('failed sign-ins', () => {
  it('delay the eleventh attempt, and neither other addresses nor the owner of the account', async () => {
    const { browser, page, flash, from } = await setUp()
    for (let failure = 1; failure <= 9; failure++) {
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

  it('delay their address at every account, for right and wrong passwords', async () => {
    const { browser, page, flash, context } = await setUp()
    await failBefore(context, 'sign-in:network:192.0.2.1', 20, 60)
    expect(placeOf(await browser.signIn(page))).toBe('/signin')
    expect((await flash())?.problems).toEqual([{ code: 'wait', wait: expect.any(Number) }])
  })

  it('are checked one by one beyond the free attempts when many are concurrent', async () => {
    const { browser, page, context, prisma, from } = await setUp()
    await failBefore(context, 'sign-in:network:192.0.2.1', 16)
    const { request } = page.parameters
    await Promise.all(
      Array.from({ length: 30 }, () => {
        const other = from('192.0.2.1')
        for (const [name, value] of browser.jar) other.jar.set(name, value)
        return other.post('/signin/submit', { request, username: 'ada', password: 'x' })
      }),
    )
    const counted = await prisma.attempt.findUniqueOrThrow({ where: { key: 'sign-in:network:192.0.2.1' } })
    expect(counted.points).toBe(17)
  })

  it('are counted for an IPv6 network', async () => {
    const { context, flash, from } = await setUp()
    await failBefore(context, 'sign-in:network:2001:db8:0:1::/64', 20, 60)
    const [same, other] = [from('2001:db8:0:1::7'), from('2001:db8:0:2::7')]
    expect(placeOf(await same.signIn(await same.authorize()))).toBe('/signin')
    expect((await flash(same))?.problems).toEqual([{ code: 'wait', wait: expect.any(Number) }])
    expect(placeOf(await other.signIn(await other.authorize()))).toBe('/consent')
  })

  it('reveal nothing about the address that belongs to a username', async () => {
    const { context, flash, from } = await setUp()
    const stranger = from('198.51.100.9')
    const page = await stranger.authorize()
    await failBefore(context, `password:account:${sha256('ada')}`, 110, 60)
    await failBefore(context, 'sign-in:network:198.51.100.9', 10)
    const looked = () => context.attempts.pointsOf('sign-in:network:198.51.100.9')
    await stranger.signIn(page, { password: 'x' })
    expect((await flash(stranger))?.problems).toEqual([{ code: 'wait', wait: expect.any(Number) }])
    expect(await looked()).toBe(10)
    await stranger.signIn(page, { username: 'ada@example.org', password: 'x' })
    expect(await looked()).toBe(11)
  })

  it('are taken back by a success', async () => {
    const { browser, page, prisma } = await setUp()
    await browser.signIn(page, { password: 'x' })
    expect(await prisma.attempt.count()).toBe(3)
    await browser.signIn(page)
    expect(await prisma.attempt.count()).toBe(0)
  })

  it('are not taken back by a sign-in to another account', async () => {
    const { context, flash, from } = await setUp()
    const thief = from('198.51.100.66')
    for (let guess = 1; guess <= 10; guess++) {
      const page = await thief.authorize({ prompt: 'login' })
      await thief.signIn(page, { password: `guess ${guess}` })
      const own = { username: 'bob', password: 'staple horse battery' }
      expect(placeOf(await thief.signIn(page, own))).not.toBe('/signin')
    }
    expect(await context.attempts.pointsOf('sign-in:network:198.51.100.66')).toBe(10)
    const page = await thief.authorize({ prompt: 'login' })
    await thief.signIn(page, { password: 'guess 11' })
    expect((await flash(thief))?.problems).toEqual([{ code: 'wait', wait: 1 }])
    // The right password must wait too.
    expect(placeOf(await thief.signIn(page))).toBe('/signin')
  })

  it('do not lock out the owner when strangers fail, also in a new network and after a failure of the owner', async () => {
    const found = await setUp()
    const owner = found.from('203.0.113.50')
    const page = await owner.authorize()
    await owner.signIn(page, { password: 'a slip' })
    await attack(found, 130)
    expect(placeOf(await owner.signIn(page))).toBe('/consent')
  })

  it('leave each network two guesses after many networks failed, then longer waits of its own', async () => {
    const found = await setUp()
    await attack(found, 100)
    const stranger = found.from('203.0.113.60')
    const wrong = { to: '/account', username: 'ada', password: 'x' }
    const codes: unknown[] = []
    for (let guess = 1; guess <= 4; guess++) {
      await stranger.post('/signin/submit', wrong)
      codes.push((await found.flash(stranger))?.problems[0]?.code)
    }
    expect(codes).toEqual(['wrong', 'wrong', 'wait', 'wait'])
  })

  it('do not use up the next attempt of an owner who failed twice, while attackers continue', async () => {
    const found = await setUp()
    await attack(found, 100)
    const owner = found.from('203.0.113.70')
    const page = await owner.authorize()
    for (const slip of ['one', 'two']) await owner.signIn(page, { password: slip })
    // An attempt from a throttled network must not use up the owner's next attempt.
    await failBefore(found.context, 'sign-in:network:203.0.113.99', 12)
    await found.from('203.0.113.99').post('/signin/submit', { to: '/account', username: 'ada', password: 'x' })
    expect(placeOf(await owner.signIn(page))).toBe('/consent')
  })
})
