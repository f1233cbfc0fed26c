import { describe, expect, it } from 'vitest'
import { sha256 } from '#lib/crypto/hash'
import { readFlash } from '#lib/http/flash'
import { makeTicket } from '#lib/sign-in/sign-up/sign-up-ticket'
import { failBefore } from '#lib/testing/browser/attempts'
import { type Browser, openBrowser } from '#lib/testing/browser/browser'
import { flowProvision, placeOf, startFlow } from '#lib/testing/browser/flow'
import { countLooks } from '#lib/testing/browser/looks'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'
import { codeSentTo } from '#lib/testing/relay/mail'

const password = 'a gate of one’s own'
const wait = { code: 'wait', wait: expect.any(Number) }

describe.each(kinds)('hashing on %s', (kind) => {
  const postern = sharePostern({ kind, provision: flowProvision })

  async function setUp() {
    const { prisma } = postern.context.database
    await prisma.attempt.deleteMany()
    await prisma.person.deleteMany({ where: { username: { notIn: ['ada', 'bob'] } } })
    const { context, counts } = countLooks(postern.context)
    const started = startFlow({ ...postern, context })
    const problems = async (form: string, browser = started.browser) =>
      (await readFlash(context, browser.cookies(), form))?.problems
    const signIn = (username: string, known: string) =>
      started.browser.post('/signin/submit', { to: '/account', username, password: known })
    return { ...started, context, counts, problems, signIn }
  }

  const atOnce = <T>(count: number, run: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, index) => run(index)))

  describe('a used sign-up form', () => {
    async function withAccount() {
      const found = await setUp()
      const ticket = makeTicket(found.context)
      const send = (browser: Browser, typed: string) =>
        browser.post('/signup/submit', { to: '/account', ticket, username: 'grace', password: typed })
      expect(placeOf(await send(openBrowser(found.context, '203.0.113.1'), password))).toBe('/account')
      return { ...found, send }
    }

    it.each([8, 100])(
      'checks at most ten of %i passwords, and begins no session for the right one among the rest',
      async (times) => {
        const { context, counts, send } = await withAccount()
        const places = await atOnce(times, async (index) =>
          placeOf(await send(openBrowser(context), index === 50 ? password : `another guess ${index}`)),
        )
        expect(counts.passwords).toBe(Math.min(times, 10))
        expect(new Set(places)).toEqual(new Set(['/signup']))
      },
    )

    it('counts its attempts with those of the sign-in page', async () => {
      const { context, browser, counts, problems, send } = await withAccount()
      await failBefore(context, 'sign-in:network:192.0.2.1', 20, 60)
      await send(browser, password)
      expect(await problems('signup')).toEqual([wait])
      expect(counts.passwords).toBe(0)
    })

    it('signs in when it is sent twice', async () => {
      const { browser, prisma, send } = await withAccount()
      await prisma.attempt.deleteMany()
      expect(placeOf(await send(browser, password))).toBe('/account')
      expect(await prisma.attempt.findMany({ where: { key: { startsWith: 'sign-in:' } } })).toEqual([])
    })
  })

  it('rejects the sixth list of recovery codes within an hour, also of concurrent requests', async () => {
    const { context, browser, prisma, personId, problems, signIn } = await setUp()
    await signIn('ada', 'correct horse battery')
    await prisma.activity.deleteMany()
    const session = await browser.shownSession()
    const id = await personId('ada')
    await failBefore(context, `new-codes-of:${id}`, 3)
    await atOnce(20, () => browser.post('/account/security/codes/make', { session }))
    const made = { personId: id, kind: 'recovery_codes_made' }
    expect(await prisma.activity.count({ where: made })).toBe(2)
    await browser.post('/account/security/codes/make', { session })
    expect(await problems('codes')).toEqual([wait])
  })

  it('rejects the thirty-first list of codes for a network', async () => {
    const { context } = await setUp()
    const waits = await atOnce(40, (index) => context.hashLimits.codes.take(`person-${index}`, '192.0.2.1'))
    expect(waits.filter((seconds) => seconds === 0)).toHaveLength(30)
  })

  describe('a new password after a recovery', () => {
    async function proven() {
      const found = await setUp()
      const { context, browser, personId } = found
      await context.database.prisma.emailCode.deleteMany()
      const asked = await browser.post('/recover/submit', { to: '/account', login: 'ada' })
      const code = await codeSentTo(context, 'ada@example.org')
      const chosen = await browser.post('/recover/verify', { ...asked.parameters, code })
      const finish = () =>
        browser.post('/recover/finish', { ...chosen.parameters, password: 'a brand new pass phrase' })
      return { ...found, id: await personId('ada'), finish }
    }

    it('is counted before it is hashed', async () => {
      const { context, browser, problems, id, finish } = await proven()
      const browserId = sha256(browser.jar.get('postern-browser') as string)
      await failBefore(context, `new-password-after:${id} ${browserId}`, 10)
      expect(placeOf(await finish())).toBe('/recover/password')
      expect(await problems('recover-password')).toEqual([{ code: 'slow_down', wait: 3600 }])
    })

    it('does not wait for the changes of others at the account or in the network', async () => {
      const { context, prisma, id, finish } = await proven()
      const before = (await context.signUps.findPassword(id)) as string
      await failBefore(context, `new-password-of:${id}`, 10)
      await failBefore(context, 'new-password-from:192.0.2.1', 60)
      await finish()
      expect(await context.signUps.findPassword(id)).not.toBe(before)
      await prisma.person.update({ where: { id }, data: { passwordHash: before } })
    })
  })

  it('rejects the eleventh new password within an hour, also of concurrent requests', async () => {
    const { context, browser, prisma, personId, problems, signIn } = await setUp()
    const id = await personId('bob')
    const before = (await context.signUps.findPassword(id)) as string
    await signIn('bob', 'staple horse battery')
    await prisma.activity.deleteMany()
    const session = await browser.shownSession()
    await atOnce(20, (index) =>
      browser.post('/account/security/password/submit', { session, password: `a new pass phrase ${index}` }),
    )
    expect(await prisma.activity.count({ where: { personId: id, kind: 'password_changed' } })).toBe(10)
    await browser.post('/account/security/password/submit', { session, password: 'another pass phrase' })
    expect(await problems('security-password')).toEqual([wait])
    await prisma.person.update({ where: { id }, data: { passwordHash: before } })
  })
})
