import { describe, expect, it } from 'vitest'
import { hashPassword } from '#lib/crypto/password-hash'
import { readFlash } from '#lib/http/flash'
import { answerRecoverByCode } from '#lib/sign-in/recovery/recover-by-code'
import { hashRecoveryCodes, makeRecoveryCodes } from '#lib/sign-in/recovery-codes/recovery-code'
import { openBrowser } from '#lib/testing/browser/browser'
import { flowProvision, placeOf, startFlow } from '#lib/testing/browser/flow'
import { giveTotp } from '#lib/testing/browser/people'
import { kinds } from '#lib/testing/databases/databases'
import type { Postern } from '#lib/testing/process/postern'
import { sharePostern } from '#lib/testing/process/share-postern'
import { codeSentTo } from '#lib/testing/relay/mail'

describe.each(kinds)('second factors on %s', (kind) => {
  const postern = sharePostern({ kind, provision: flowProvision })

  async function setUp() {
    const { prisma } = postern.context.database
    for (const table of [prisma.attempt, prisma.totp, prisma.recoveryCode, prisma.passkey, prisma.consent] as const)
      await (table as typeof prisma.totp).deleteMany()
    await prisma.session.deleteMany()
    const started = startFlow(postern)
    const { browser, context } = started
    const page = await browser.authorize()
    const personId = await started.personId('ada')
    const codeField = (code: string, who = browser, request = page.parameters.request) =>
      who.post('/two-factor/submit', { request, code })
    const problems = async (form: string) => (await readFlash(context, browser.cookies(), form))?.problems
    const amr = async () => (await prisma.session.findFirstOrThrow({ where: { endedAt: null } })).amr
    return { ...started, page, personId, codeField, problems, amr, prisma }
  }

  it('replaces a forgotten password only after the second factor', async () => {
    const { browser, context, page, personId, codeField, prisma, amr } = await setUp()
    const kept = await prisma.person.findUniqueOrThrow({ where: { id: personId } })
    const elsewhere = openBrowser(context)
    await elsewhere.signIn(await elsewhere.authorize())
    const show = await giveTotp(context, personId)
    const { request } = page.parameters
    const codePage = await browser.post('/recover/submit', { login: 'ada', request: request as string })
    const code = await codeSentTo(context, 'ada@example.org')
    const chosen = await browser.post('/recover/verify', { ...codePage.parameters, code })
    const choice = { password: 'a brand new pass phrase', browsers: 'end' }
    const asked = await browser.post('/recover/finish', { ...chosen.parameters, ...choice })
    expect(placeOf(asked)).toBe('/two-factor')
    expect(await prisma.person.findUniqueOrThrow({ where: { id: personId } })).toEqual(kept)
    expect(await elsewhere.shownSession()).toBeDefined()
    expect(placeOf(await codeField('000000'))).toBe('/two-factor')
    const review = await codeField(await show())
    expect(placeOf(review)).toBe('/recover/review')
    expect(placeOf(await browser.post('/recover/review/submit', review.parameters))).toBe('/consent')
    expect(await elsewhere.shownSession()).toBeUndefined()
    expect(await amr()).toBe('otp')
    const again = openBrowser(context)
    const entered = await again.signIn(await again.authorize(), { password: 'a brand new pass phrase' })
    expect(placeOf(entered)).toBe('/two-factor')
    await prisma.person.update({ where: { id: personId }, data: { passwordHash: kept.passwordHash } })
  })

  describe('the authenticator app', () => {
    it('is asked for after the password, and gives a session of two factors', async () => {
      const { browser, context, page, personId, codeField, amr } = await setUp()
      const show = await giveTotp(context, personId)
      expect(placeOf(await browser.signIn(page))).toBe('/two-factor')
      expect(await browser.shownSession()).toBeUndefined()
      expect(placeOf(await codeField(await show()))).toBe('/consent')
      expect(await amr()).toBe('pwd otp mfa')
      expect(browser.jar.has('postern-pending')).toBe(false)
    })

    it('accepts a code once, in one of eight concurrent requests', async () => {
      const { context, personId, prisma } = await setUp()
      const show = await giveTotp(context, personId)
      const code = await show()
      const travellers = await Promise.all(
        Array.from({ length: 8 }, async (_, index) => {
          const browser = openBrowser(context, `198.51.100.${index}`)
          const { parameters } = await browser.authorize()
          await browser.signIn({ parameters } as Parameters<typeof browser.signIn>[0])
          return { browser, request: parameters.request }
        }),
      )
      await prisma.attempt.deleteMany()
      const places = await Promise.all(
        travellers.map(async ({ browser, request }) =>
          placeOf(await browser.post('/two-factor/submit', { request, code })),
        ),
      )
      expect(places.filter((place) => place === '/consent')).toHaveLength(1)
      expect(await prisma.session.count()).toBe(1)
    })

    it('is not asked for before the password', async () => {
      const { context, personId, codeField, problems } = await setUp()
      const show = await giveTotp(context, personId)
      expect(placeOf(await codeField(await show()))).toBe('/signin')
      expect(await problems('signin')).toEqual([{ code: 'two_factor_expired' }])
    })

    it('leads back to the password with a wait after five wrong codes', async () => {
      const { browser, context, page, personId, codeField, problems, prisma } = await setUp()
      const show = await giveTotp(context, personId)
      const right = await show()
      const wrong = right === '000000' ? '111111' : '000000'
      await browser.signIn(page)
      for (let tries = 1; tries <= 4; tries++) {
        expect(placeOf(await codeField(wrong))).toBe('/two-factor')
        expect(await problems('two-factor')).toEqual([{ field: 'code', code: 'code_wrong' }])
      }
      // Sets a longer wait: a wait of one second may be over before a busy machine sends the next request.
      await prisma.attempt.updateMany({ where: { key: { startsWith: 'factor:' } }, data: { points: 10 } })
      expect(placeOf(await codeField(wrong))).toBe('/signin')
      expect(await problems('signin')).toEqual([{ code: 'wait', wait: expect.any(Number) }])
      await browser.signIn(page)
      expect(placeOf(await codeField(right))).toBe('/signin')
    })

    it('rejects the code when the password was changed in between', async () => {
      const { browser, context, page, personId, codeField, problems } = await setUp()
      const show = await giveTotp(context, personId)
      const before = (await context.signUps.findPassword(personId)) as string
      await browser.signIn(page)
      await context.signUps.setPassword(personId, await hashPassword('another horse battery'), context.now())
      expect(placeOf(await codeField(await show()))).toBe('/signin')
      expect(await problems('signin')).toEqual([{ code: 'two_factor_expired' }])
      expect(await browser.shownSession()).toBeUndefined()
      await context.signUps.setPassword(personId, before, context.now())
    })

    it('checks concurrent guesses one by one', async () => {
      const { browser, context, page, personId, codeField, prisma } = await setUp()
      await giveTotp(context, personId)
      await browser.signIn(page)
      await codeField('000000')
      // Uses up the free attempts and sets a wait that is longer than all of these requests take.
      await prisma.attempt.updateMany({ where: { key: { startsWith: 'factor:' } }, data: { points: 10 } })
      await prisma.activity.deleteMany({ where: { kind: 'sign_in_failed' } })
      const { request } = page.parameters
      const pending = browser.jar.get('postern-pending') as string
      await Promise.all(
        Array.from({ length: 40 }, () => {
          const other = openBrowser(context)
          for (const [name, value] of browser.jar) other.jar.set(name, value)
          other.jar.set('postern-pending', pending)
          return other.post('/two-factor/submit', { request, code: '000000' })
        }),
      )
      expect(await prisma.activity.count({ where: { kind: 'sign_in_failed' } })).toBe(1)
    })

    it.each(['', ' ', '12345', '1234567', 'abcdef', 'x'.repeat(9000), "' OR 1=1 --", '٠٠٠٠٠٠'])(
      'rejects %.12s',
      async (code) => {
        const { browser, context, page, personId, codeField } = await setUp()
        await giveTotp(context, personId)
        await browser.signIn(page)
        expect(placeOf(await codeField(code))).toBe('/two-factor')
      },
    )
  })

  describe('a recovery code', () => {
    const give = async (context: Postern['context'], personId: string) => {
      const codes = makeRecoveryCodes(context.random)
      await context.factors.replaceRecoveryCodes(personId, await hashRecoveryCodes(codes), context.now())
      return codes
    }

    it('replaces the app once, in any spelling', async () => {
      const { browser, context, page, personId, codeField } = await setUp()
      await giveTotp(context, personId)
      const [code = ''] = await give(context, personId)
      await browser.signIn(page)
      expect(placeOf(await codeField(` ${code.toUpperCase().replaceAll('-', ' ')} `))).toBe('/consent')
      const again = openBrowser(context)
      const other = await again.authorize()
      await again.signIn(other)
      expect(placeOf(await codeField(code, again, other.parameters.request))).toBe('/two-factor')
      expect((await context.activity.list(personId, undefined, 5)).map(({ kind }) => kind)).toContain(
        'recovery_code_used',
      )
    })

    it('is spent by one of eight concurrent requests', async () => {
      const { context, personId } = await setUp()
      const [code = ''] = await give(context, personId)
      const stored = await context.factors.findRecoveryCode(personId, code.slice(0, 2))
      const spent = await Promise.all(
        Array.from({ length: 8 }, () => context.factors.spendRecoveryCode(personId, stored as never, context.now())),
      )
      expect(spent.filter(Boolean)).toHaveLength(1)
    })

    it('is void once new codes are made', async () => {
      const { context, personId } = await setUp()
      const old = await give(context, personId)
      await give(context, personId)
      const stored = await Promise.all(old.map((code) => context.factors.findRecoveryCode(personId, code.slice(0, 2))))
      const [before] = await hashRecoveryCodes(old.slice(0, 1))
      expect(stored.filter((one) => one?.hash === before?.hash)).toEqual([])
      expect((await context.factors.ways(personId)).codes?.left).toBe(10)
    })

    it('recovers the account, and does not reveal which half was wrong', async () => {
      const { browser, context, page, personId, problems } = await setUp()
      const [code = '', second = ''] = await give(context, personId)
      const recover = async (login: string, typed: string) => {
        const request = new Request('http://localhost:3001/recover/by-code/submit', {
          method: 'POST',
          headers: {
            'content-type': 'application/x-www-form-urlencoded',
            cookie: browser.cookies(),
            'x-postern-client': '192.0.2.9',
          },
          body: new URLSearchParams({ request: page.parameters.request ?? '', login, code: typed }).toString(),
        })
        const answer = await answerRecoverByCode(context, request)
        for (const line of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
          browser.jar.set(name, value)
        }
        return new URL(answer.headers.get('location') ?? '', 'http://localhost:3001').pathname
      }
      for (const [login, typed] of [
        ['nobody', code],
        ['bob', code],
        ['ada', 'zzzz-zzzz-zzzz'],
        ['ada', 'x'],
      ] as const) {
        expect(await recover(login, typed)).toBe('/recover/by-code')
        expect(await problems('recover-by-code')).toEqual([{ field: 'code', code: 'code_wrong' }])
      }
      expect(await recover('ada', code)).toBe('/recover/password')
      expect(await recover('ada', code)).toBe('/recover/by-code')
      expect(await recover('ADA@example.org', second)).toBe('/recover/password')
    })
  })
})
