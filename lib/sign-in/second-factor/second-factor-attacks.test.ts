import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sealBytes } from '#lib/crypto/seal'
import { hashRecoveryCodes, makeRecoveryCodes } from '#lib/sign-in/recovery-codes/recovery-code'
import { failBefore } from '#lib/testing/browser/attempts'
import { type Browser, openBrowser } from '#lib/testing/browser/browser'
import { flowProvision, placeOf, startFlow } from '#lib/testing/browser/flow'
import { countLooks } from '#lib/testing/browser/looks'
import { giveTotp } from '#lib/testing/browser/people'
import { kinds } from '#lib/testing/databases/databases'
import type { Postern } from '#lib/testing/process/postern'
import { sharePostern } from '#lib/testing/process/share-postern'
import { pendingCookies } from './pending.ts'

const password = 'correct horse battery'
const network = 'sign-in:network:192.0.2.1'

describe.each(kinds)('guesses at second factors on %s', (kind) => {
  const postern = sharePostern({ kind, provision: flowProvision })

  async function setUp() {
    const { prisma } = postern.context.database
    for (const table of [prisma.attempt, prisma.totp, prisma.recoveryCode, prisma.activity] as const)
      await (table as typeof prisma.totp).deleteMany()
    await prisma.session.deleteMany()
    const { context, counts } = countLooks(postern.context)
    const started = startFlow({ ...postern, context })
    const personId = await started.personId('ada')
    const enter = async (browser: Browser) =>
      placeOf(await browser.post('/signin/submit', { to: '/account', username: 'ada', password }))
    const sendCode = async (browser: Browser, code: string) =>
      placeOf(await browser.post('/two-factor/submit', { to: '/account', code }))
    /** Returns how many wrong codes were compared: the activity of the owner records each. */
    const looks = () => prisma.activity.count({ where: { kind: 'sign_in_failed' } })
    return { ...started, context, counts, prisma, personId, enter, sendCode, looks }
  }

  const atOnce = <T>(count: number, run: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, index) => run(index)))

  function copyOf(browser: Browser, context: Postern['context'], address?: string): Browser {
    const copy = openBrowser(context, address)
    for (const [name, value] of browser.jar) copy.jar.set(name, value)
    return copy
  }

  it.each([8, 200])(
    'checks five of %i concurrent guesses with a known cookie and a new browser id each',
    async (times) => {
      const { context, browser, personId, enter, sendCode, looks } = await setUp()
      const show = await giveTotp(context, personId)
      await enter(browser)
      expect(await sendCode(browser, await show())).toBe('/account')
      expect(await enter(browser)).toBe('/two-factor')
      const wrong = (await show()) === '000000' ? '111111' : '000000'
      // Makes the cookie that each browser gets after the right password.
      const pendingOf = async (thief: Browser) => {
        const request = new Request(context.config.accountUrl, { headers: { cookie: thief.cookies() } })
        const [line = ''] = await pendingCookies(context, request, { personId })
        return line.slice(line.indexOf('=') + 1).replace(/;.*/, '')
      }
      await atOnce(times, async () => {
        const thief = copyOf(browser, context)
        thief.jar.set('postern-browser', randomBytes(32).toString('base64url'))
        thief.jar.set('postern-pending', await pendingOf(thief))
        await sendCode(thief, wrong)
      })
      expect(await looks()).toBe(5)
    },
  )

  it('checks twenty of 200 concurrent guesses from as many networks, and delays no known browser', async () => {
    const { context, browser, personId, enter, sendCode, looks, later } = await setUp()
    const show = await giveTotp(context, personId)
    await enter(browser)
    await sendCode(browser, await show())
    const thief = openBrowser(context)
    await enter(thief)
    const wrong = (await show()) === '000000' ? '111111' : '000000'
    await atOnce(200, (index) => sendCode(copyOf(thief, context, `198.51.100.${index}`), wrong))
    expect(await looks()).toBe(20)
    later(30)
    await failBefore(context, `factor:person:${personId}`, 30, 900)
    await enter(browser)
    expect(await sendCode(browser, await show())).toBe('/account')
    const elsewhere = openBrowser(context, '203.0.113.7')
    await enter(elsewhere)
    expect(await sendCode(elsewhere, await show())).toBe('/signin')
  })

  it('takes back a person’s own failures with the right code, and not those of others', async () => {
    const { context, personId, enter, sendCode } = await setUp()
    const show = await giveTotp(context, personId)
    const wrong = (await show()) === '000000' ? '111111' : '000000'
    const [owner, thief] = [openBrowser(context, '203.0.113.7'), openBrowser(context, '203.0.113.8')]
    for (const browser of [owner, thief]) {
      await browser.authorize()
      await enter(browser)
    }
    for (let slip = 0; slip < 2; slip++) await sendCode(owner, wrong)
    for (let guess = 0; guess < 3; guess++) await sendCode(thief, wrong)
    expect(await sendCode(owner, await show())).toBe('/account')
    expect(await context.attempts.pointsOf(`factor:person:${personId}`)).toBe(3)
  })

  describe('a known browser', () => {
    /** Returns whether the browser signs in from a throttled network, which only a known browser can. */
    const isKnown = async ({ context, enter }: Awaited<ReturnType<typeof setUp>>, browser: Browser) => {
      await failBefore(context, network, 30, 60)
      return (await enter(browser)) === '/account'
    }

    async function withTwoBrowsers() {
      const found = await setUp()
      const [here, elsewhere] = [openBrowser(found.context), openBrowser(found.context)]
      for (const browser of [here, elsewhere]) await found.enter(browser)
      expect([await isKnown(found, here), await isKnown(found, elsewhere)]).toEqual([true, true])
      return { ...found, here, elsewhere }
    }

    it('is unknown after a sign-out elsewhere, except the browser that asked for it', async () => {
      const found = await withTwoBrowsers()
      const { here, elsewhere } = found
      await here.post('/account/security/sessions/others', { session: await here.shownSession() })
      expect([await isKnown(found, here), await isKnown(found, elsewhere)]).toEqual([true, false])
    })

    it('is unknown after a change of password, even while signed in', async () => {
      const found = await withTwoBrowsers()
      const { here, elsewhere, context, personId } = found
      const before = (await context.signUps.findPassword(personId)) as string
      await here.post('/account/security/password/submit', { password: 'a brand new pass phrase' })
      await context.database.prisma.person.update({ where: { id: personId }, data: { passwordHash: before } })
      expect(await elsewhere.shownSession()).toBeDefined()
      expect([await isKnown(found, here), await isKnown(found, elsewhere)]).toEqual([true, false])
    })

    it('is unknown when its cookie belongs to another browser, or is older than browser ids', async () => {
      const found = await withTwoBrowsers()
      const { here, context, personId } = found
      const stolen = openBrowser(context)
      stolen.jar.set('postern-known', here.jar.get('postern-known') as string)
      expect(await isKnown(found, stolen)).toBe(false)
      const old = copyOf(here, context)
      const content = Buffer.from(JSON.stringify({ value: [personId], until: context.now().getTime() + 1000_000 }))
      old.jar.set('postern-known', sealBytes(context.secrets.current('seal-known'), content))
      expect(await isKnown(found, old)).toBe(false)
      expect(await isKnown(found, here)).toBe(true)
    })
  })

  it('checks ten of 200 concurrent recovery codes, for a person and from a network', async () => {
    const { context, counts, personId, prisma } = await setUp()
    const codes = makeRecoveryCodes(context.random)
    await context.factors.replaceRecoveryCodes(personId, await hashRecoveryCodes(codes), context.now())
    const guess = (browser: Browser, code: string, login = 'ada') =>
      browser.post('/recover/by-code/submit', { to: '/account', login, code })
    const near = (code = '') => `${code.slice(0, 13)}${code.endsWith('z') ? 'y' : 'z'}`
    const answers = await atOnce(200, (index) =>
      guess(openBrowser(context), index === 100 ? (codes[1] as string) : near(codes[0])),
    )
    expect(counts.recoveryCodes).toBe(10)
    expect(answers.map(placeOf)).not.toContain('/recover/password')
    expect(placeOf(await guess(openBrowser(context, '203.0.113.9'), codes[1] as string))).toBe('/recover/password')
    await prisma.attempt.deleteMany()
    expect(placeOf(await guess(openBrowser(context), codes[2] as string))).toBe('/recover/password')
    expect(await prisma.attempt.count()).toBe(0)
  })
})
