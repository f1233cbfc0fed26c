import { describe, expect, it } from 'vitest'
import { readFlash } from '#lib/http/flash'
import { openBrowser } from '#lib/testing/browser/browser'
import { placeOf, shareFlow } from '#lib/testing/browser/flow'
import { kinds } from '#lib/testing/databases/databases'
import { codeSentTo, lettersTo } from '#lib/testing/relay/mail'

const address = 'ada@example.org'
const day = 86_400

describe.each(kinds)('recovery letters that strangers ask for, on %s', (kind) => {
  const share = shareFlow({ kind })

  async function setUp() {
    const shared = await share()
    const { context, prisma, later } = shared
    await prisma.emailCode.deleteMany()
    await prisma.person.update({ where: { username: 'ada' }, data: { email: address } })
    // Advances the clock, so that the e-mails of this test differ in time from those of the previous one.
    later(1)
    const count = async (to = address) => (await lettersTo(context, to)).length
    const before = await count()
    const from = (client: string) => openBrowser(context, client)
    /** Requests a recovery in a new browser; returns the page it leads to and its problem. */
    const ask = async (client: string, login = 'ada', browser = from(client)) => {
      const page = await browser.post('/recover/submit', { login })
      const flash = await readFlash(context, browser.cookies(), 'recover')
      return { page, browser, place: placeOf(page), problems: flash?.problems ?? [] }
    }
    /** Requests a recovery from each network every hour for some days. */
    const flood = async (networks: string[], days: number, login = 'ada') => {
      for (let minutes = 0; minutes < days * 24 * 60; minutes += 60) {
        for (const network of networks) await ask(network, login)
        later(3600)
      }
    }
    return { ...shared, from, ask, flood, sent: async () => (await count()) - before }
  }

  const strangers = ['198.51.100.1', '198.51.100.2', '198.51.100.3']

  it('do not delay a fourth network, whose code works', async () => {
    const { context, ask, flood, sent } = await setUp()
    await flood(strangers, 1)
    const before = await sent()
    const { page, browser, place } = await ask('203.0.113.9')
    expect([place, (await sent()) - before]).toEqual(['/recover/code', 1])
    const code = await codeSentTo(context, address)
    expect(placeOf(await browser.post('/recover/verify', { ...page.parameters, code }))).toBe('/recover/password')
  })

  it('do not count for a known browser, also in the same network', async () => {
    const { ask, flood, sent, from } = await setUp()
    const known = from(strangers[0] as string)
    await known.signIn(await known.authorize())
    await flood(strangers, 1)
    const before = await sent()
    expect((await ask(strangers[0] as string)).problems).toEqual([{ code: 'too_many', wait: expect.any(Number) }])
    expect((await ask(strangers[0] as string, 'ada', known)).place).toBe('/recover/code')
    expect((await ask(strangers[0] as string, address, known)).problems).toMatchObject([{ code: 'wait' }])
    expect((await sent()) - before).toBe(1)
  })

  it('become fewer each day, but never stop', async () => {
    const { flood, sent } = await setUp()
    const daily = []
    for (let count = 0; count < 4; count++) {
      const before = await sent()
      await flood(strangers, 1)
      daily.push((await sent()) - before)
    }
    const [first = 0, second = 0, third = 0, fourth = 0] = daily
    expect(first).toBeLessThanOrEqual(30)
    expect(second).toBeLessThan(first)
    expect([third, fourth].every((letters) => letters >= 1 && letters <= second)).toBe(true)
  })

  it('are counted for an unknown name too: with the same pages and waits', async () => {
    const { context, ask, later } = await setUp()
    const seen = []
    for (const login of ['ada', 'nob']) {
      const steps: unknown[] = []
      for (const seconds of [0, 29, 1, 60, 60, 240, 3600, day]) {
        later(seconds)
        const { place, problems } = await ask('198.51.100.7', login)
        steps.push([place, problems])
      }
      seen.push(steps)
      await context.database.prisma.attempt.deleteMany()
    }
    expect(seen[1]).toEqual(seen[0])
    expect(new Set(seen.flat().map((step) => JSON.stringify(step))).size).toBeGreaterThan(2)
  })

  it('are sent whenever the page says so', async () => {
    const { ask, later, sent } = await setUp()
    let promised = 0
    for (let n = 0; n < 60; n++) {
      const { place } = await ask(strangers[n % 3] as string)
      if (place === '/recover/code') promised++
      later(n * 7)
    }
    expect(promised).toBeGreaterThan(5)
    expect(await sent()).toBe(promised)
  })

  it.each([8, 200])('are sent once for %i concurrent requests of one network', async (many) => {
    const { ask, sent } = await setUp()
    const asked = await Promise.all(Array.from({ length: many }, () => ask('198.51.100.8')))
    expect(asked.filter(({ place }) => place === '/recover/code')).toHaveLength(1)
    expect(await sent()).toBe(1)
  })

  it('are at most thirty for 200 concurrent networks, and are still sent for later networks', async () => {
    const { ask, later, sent } = await setUp()
    // On a busy machine the full queue for hashing refuses some requests, which then do not count, and a letter that the
    // page has promised can fail.
    const asked = await Promise.allSettled(Array.from({ length: 200 }, (_, n) => ask(`198.18.${n}.1`)))
    const promised = asked.filter((one) => one.status === 'fulfilled' && one.value.place === '/recover/code').length
    const letters = await sent()
    expect([letters > 0, letters <= promised, promised <= 30]).toEqual([true, true, true])
    later(600)
    expect((await ask('203.0.113.10')).place).toBe('/recover/code')
  })

  it('are counted for a whole /48 network', async () => {
    const { ask, sent } = await setUp()
    for (let n = 0; n < 20; n++) await ask(`2001:db8:1:${n.toString(16)}::1`)
    expect(await sent()).toBe(1)
    expect((await ask('2001:db8:2::1')).place).toBe('/recover/code')
  })
})

describe.each(kinds)('letters that bind an address, on %s', (kind) => {
  const share = shareFlow({ kind })

  it('reach the owner of the address, although many accounts of strangers ask for the same one', async () => {
    const { context, prisma, later } = await share()
    const inbox = `wanted-${kind}@example.org`
    const empty = { name: '', nickname: '', biography: '', gender: '', birthdate: '', region: '', locale: 'en' }
    const { passwordHash } = await prisma.person.findUniqueOrThrow({ where: { username: 'bob' } })
    const times = { createdAt: context.now(), profileUpdatedAt: context.now() }
    const data = Array.from({ length: 12 }, (_, n) => ({ id: `x${n}`, username: `stranger-${n}`, passwordHash }))
    await prisma.person.createMany({ data: data.map((one) => ({ ...one, ...empty, ...times })) })
    const bind = async (username: string, client: string) => {
      const browser = openBrowser(context, client)
      await browser.post('/signin/submit', { to: '/account', username, password: 'staple horse battery' })
      await browser.post('/account/email/submit', { address: inbox })
      return (await readFlash(context, browser.cookies(), 'email-change'))?.problems ?? []
    }
    for (let n = 0; n < 12; n++) await bind(`stranger-${n}`, strangersOf(n))
    const before = (await lettersTo(context, inbox)).length
    later(1)
    expect(await bind('bob', '203.0.113.11')).toEqual([])
    expect((await lettersTo(context, inbox)).length - before).toBe(1)
    await prisma.person.deleteMany({ where: { username: { startsWith: 'stranger-' } } })
  })

  const strangersOf = (n: number) => `198.51.100.${n % 3}`
})
