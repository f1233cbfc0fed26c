import { describe, expect, it } from 'vitest'
import { isUnavailable } from '#lib/db/engine/unavailable'
import { readFlash } from '#lib/http/flash'
import { type CurrentRequest, withRequest } from '#lib/queue/current-request'
import { isOverloaded, Overloaded } from '#lib/queue/fair-queue'
import { failBefore } from '#lib/testing/browser/attempts'
import { type Browser, openBrowser } from '#lib/testing/browser/browser'
import { flowProvision, placeOf, startFlow } from '#lib/testing/browser/flow'
import { countLooks } from '#lib/testing/browser/looks'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'
import { networksOf } from '#lib/text/network'
import { accountKey } from './sign-in-throttle.ts'

const bob = { username: 'bob', password: 'staple horse battery' }
const ada = { username: 'ada', password: 'correct horse battery' }
const shared = '192.0.2.1'

describe.each(kinds)('guesses at passwords on %s', (kind) => {
  const postern = sharePostern({ kind, provision: flowProvision })

  async function setUp(onLook?: () => void) {
    const { prisma } = postern.context.database
    await prisma.attempt.deleteMany()
    await prisma.session.deleteMany()
    const { context, counts } = countLooks(postern.context, onLook)
    const from = (address: string) => openBrowser(context, address)
    /** Submits the sign-in page of the account; returns whether that begins a session. */
    const enter = async (browser: Browser, fields: Record<string, string>) =>
      placeOf(await browser.post('/signin/submit', { to: '/account', ...fields })) === '/account'
    const problemOf = async (browser: Browser) =>
      (await readFlash(context, browser.cookies(), 'signin'))?.problems[0]?.code
    return { ...startFlow(postern), prisma, counts, from, enter, problemOf }
  }

  const atOnce = <T>(count: number, run: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, index) => run(index)))

  const notEntered = (fault: unknown) => {
    if (!isUnavailable(fault) && !isOverloaded(fault)) throw fault
    return false
  }

  it.each([8, 200, 400])(
    'checks at most ten of %i concurrent guesses from one network, and signs in nobody',
    async (times) => {
      const { counts, from, enter } = await setUp()
      // The right password comes after the free attempts are used up. On a slow machine the connection pool may refuse some
      // of so many requests: that is a 503 without a check.
      const entered = await atOnce(times, (index) =>
        enter(from(shared), index === 100 ? ada : { username: 'ada', password: `guess ${index}` }).catch(notEntered),
      )
      expect(counts.passwords).toBeGreaterThan(0)
      expect(counts.passwords).toBeLessThanOrEqual(10)
      expect(entered).not.toContain(true)
    },
  )

  it.each(['192.0.2.9', '2001:db8::9'])(
    'counts 200 concurrent guesses from %s at the account only as often as in their network',
    async (address) => {
      const { context, from, enter } = await setUp()
      await atOnce(200, (index) =>
        enter(from(address), { username: 'ada', password: `guess ${index}` }).catch(notEntered),
      )
      const networks = networksOf(address).map(({ name }) => `sign-in:network:${name}`)
      const points = await Promise.all(
        [accountKey('password', 'ada'), ...networks].map((key) => context.attempts.pointsOf(key)),
      )
      expect(points).toEqual(points.map(() => points[0]))
      expect(points[0]).toBeGreaterThan(0)
      expect(points[0]).toBeLessThanOrEqual(10)
    },
  )

  it('checks ten of 200 concurrent guesses for an unknown name, with the same answers as for a known one', async () => {
    const { from, enter, problemOf } = await setUp()
    const answers = async (username: string, address: string) => {
      const browsers = Array.from({ length: 200 }, () => from(address))
      await Promise.all(browsers.map((browser) => enter(browser, { username, password: 'x' })))
      const codes = await Promise.all(browsers.map(problemOf))
      return codes.filter((code) => code === 'wrong').length
    }
    expect(await answers('nobody', '192.0.2.7')).toBe(9)
    expect(await answers('ada', '192.0.2.8')).toBe(9)
  })

  it('takes back only a person’s own failures, also with concurrent successes', async () => {
    const { counts, from, enter } = await setUp()
    for (let guess = 0; guess < 5; guess++) await enter(from(shared), { username: 'bob', password: 'x' })
    const own = from(shared)
    for (let slip = 0; slip < 2; slip++) await enter(own, { username: 'ada', password: 'slip' })
    const copies = Array.from({ length: 3 }, () => {
      const copy = from(shared)
      for (const [name, value] of own.jar) copy.jar.set(name, value)
      return copy
    })
    expect(await Promise.all(copies.map((copy) => enter(copy, ada)))).toEqual([true, true, true])
    counts.passwords = 0
    for (let guess = 0; guess < 20; guess++) await enter(from(shared), { username: 'bob', password: 'x' })
    expect(counts.passwords).toBe(5)
  })

  it('lets the next person in a throttled network sign in right after a success', async () => {
    const { context, from, enter } = await setUp()
    await failBefore(context, `sign-in:network:${shared}`, 16)
    for (let person = 0; person < 5; person++) expect(await enter(from(shared), ada)).toBe(true)
    expect(await context.attempts.pointsOf(`sign-in:network:${shared}`)).toBe(16)
  })

  it('lets networks that failed often take turns at an account with many failures, one a minute', async () => {
    const { context, from, enter, problemOf } = await setUp()
    const networks = ['198.51.100.1', '198.51.100.2']
    for (const address of networks) await failBefore(context, `sign-in:network:${address}`, 20)
    await failBefore(context, accountKey('password', 'ada'), 150)
    const [first, second] = networks.map(from) as [Browser, Browser]
    expect(await enter(first, { username: 'ada', password: 'x' })).toBe(false)
    expect(await problemOf(first)).toBe('wait')
    expect(await enter(second, ada)).toBe(false)
    expect(await problemOf(second)).toBe('wait')
    expect(await enter(from(shared), ada)).toBe(true)
  })

  it('stores nothing for successful requests', async () => {
    const { prisma, from, enter } = await setUp()
    expect(await atOnce(8, () => enter(from(shared), ada))).not.toContain(false)
    expect(await prisma.attempt.count()).toBe(0)
  })

  it('gives each of 200 people who sign in at once a session of their own, or refuses and stores nothing', async () => {
    const { prisma, from, enter } = await setUp()
    const known = await prisma.person.findUniqueOrThrow({ where: { username: 'ada' } })
    const names = Array.from({ length: 200 }, (_, index) => `crowd-${index}`)
    await prisma.person.createMany({
      data: names.map((name) => ({ ...known, id: name, username: name, email: null })),
    })
    const entered = await atOnce(200, (index) =>
      enter(from(`203.0.113.${index}`), { ...ada, username: `crowd-${index}` }).catch(notEntered),
    )
    const expected = names.filter((_, index) => entered[index])
    expect(expected).not.toEqual([])
    const sessions = await prisma.session.findMany()
    expect(sessions.map(({ personId }) => personId).sort()).toEqual(expected.sort())
    expect(await prisma.attempt.count()).toBe(0)
  })

  it('keeps the count of interrupted attempts until the hour is over', async () => {
    const found = await setUp(() => {
      throw new Error('The process ended here.')
    })
    for (let time = 0; time < 10; time++)
      await expect(found.enter(found.from(shared), ada)).rejects.toThrow('ended here')
    const { counts, from, enter, later } = await setUpAgain()
    expect(await enter(from(shared), ada)).toBe(false)
    expect(counts.passwords).toBe(0)
    later(3600)
    expect(await enter(from(shared), ada)).toBe(true)

    async function setUpAgain() {
      const { context, counts } = countLooks(postern.context)
      return { ...found, counts, from: (address: string) => openBrowser(context, address) }
    }
  })

  it('counts no attempt that a full queue refused', async () => {
    const { prisma, from, enter } = await setUp(() => {
      throw new Overloaded('The queue is full.')
    })
    for (let time = 0; time < 12; time++) await expect(enter(from(shared), ada)).rejects.toThrow('queue is full')
    expect(await prisma.attempt.count()).toBe(0)
  })

  it('takes the counts back although the deadline of the request has passed', async () => {
    const request: CurrentRequest = { id: 'late', address: shared, abandoned: () => new AbortController().signal }
    const { prisma, from, enter } = await setUp(() => {
      request.isOver = true
      throw new Overloaded('The queue is full.')
    })
    const late = withRequest(request, () => enter(from(shared), ada))
    await expect(late).rejects.toSatisfy(isOverloaded)
    expect(await prisma.attempt.count()).toBe(0)
  })

  it('does not delay right passwords in known browsers behind an attacker’s address', async () => {
    const { from, enter, counts } = await setUp()
    const owner = from(shared)
    expect(await enter(owner, ada)).toBe(true)
    await atOnce(30, () => enter(from(shared), { username: 'bob', password: 'x' }))
    expect(counts.passwords).toBe(11)
    expect(await enter(owner, ada)).toBe(true)
    expect(await enter(from(shared), ada)).toBe(false)
  })

  it('exempts a known browser only for its own account', async () => {
    const { context, from, enter } = await setUp()
    const thief = from(shared)
    expect(await enter(thief, bob)).toBe(true)
    await failBefore(context, `sign-in:network:${shared}`, 20, 60)
    expect(await enter(thief, ada)).toBe(false)
    expect(await enter(thief, bob)).toBe(true)
    expect(await context.attempts.pointsOf(`sign-in:network:${shared}`)).toBe(20)
  })

  it('gives a known browser a limit of its own, which others do not share', async () => {
    const { counts, from, enter } = await setUp()
    const [stolen, home] = [from(shared), from(shared)]
    for (const browser of [stolen, home]) expect(await enter(browser, ada)).toBe(true)
    counts.passwords = 0
    // Half of the requests come from the page where a signed-in person confirms the password.
    const guess = (index: number) => ({ username: 'ada', password: `guess ${index}`, fresh: String(index % 2) })
    await atOnce(200, (index) => enter(stolen, guess(index)))
    expect(counts.passwords).toBe(10)
    expect(await enter(stolen, ada)).toBe(false)
    expect(await enter(home, ada)).toBe(true)
    expect(await enter(from(shared), bob)).toBe(true)
  })

  it('counts the attempts of a customer’s whole /56, and not those of its neighbours', async () => {
    const { context, counts, from, enter } = await setUp()
    await failBefore(context, 'sign-in:network:2001:db8:5:700::/56', 95)
    const customer = (index: number) => `2001:db8:5:7${(index + 16).toString(16)}::1`
    await atOnce(40, (index) => enter(from(customer(index)), { username: 'ada', password: 'x' }))
    expect(counts.passwords).toBe(5)
    expect(await enter(from('2001:db8:5:800::1'), bob)).toBe(true)
    expect(await enter(from('2001:db8:5:7ff::1'), bob)).toBe(false)
  })

  it('counts an IPv4-mapped address as its IPv4 address', async () => {
    const { counts, from, enter } = await setUp()
    const forms = [shared, `::ffff:${shared}`, '::FFFF:C000:0201', '0:0:0:0:0:ffff:c000:201']
    await atOnce(40, (index) => enter(from(forms[index % 4] as string), { username: 'ada', password: 'x' }))
    expect(counts.passwords).toBe(10)
  })
})
