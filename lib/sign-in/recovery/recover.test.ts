import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { hashPassword } from '#lib/crypto/password-hash'
import { readFlash } from '#lib/http/flash'
import { type Arrival, openBrowser } from '#lib/testing/browser/browser'
import { placeOf, shareFlow } from '#lib/testing/browser/flow'
import { callback } from '#lib/testing/process/postern'
import { codeSentTo, lettersTo } from '#lib/testing/relay/mail'

const share = shareFlow()
const address = 'ada@example.org'
const before = await hashPassword('correct horse battery')

/** Ada has an address, bob has none, and "nobody" does not exist. */
async function setUp() {
  const shared = await share()
  const { context, browser, prisma } = shared
  await prisma.emailCode.deleteMany()
  await prisma.activity.deleteMany()
  await prisma.person.update({ where: { username: 'ada' }, data: { email: address, passwordHash: before } })
  shared.later(7200)
  const seen = (await lettersTo(context, address)).length
  return {
    ...shared,
    begin: (login: string, more: Record<string, string> = {}) => browser.post('/recover/submit', { login, ...more }),
    verify: (page: Arrival, code: string) => browser.post('/recover/verify', { ...page.parameters, code }),
    resend: (page: Arrival) => browser.post('/recover/resend', page.parameters),
    /** Chooses a password, and keeps everything that the review lists. */
    finish: async (
      page: Arrival,
      password: string,
      more: Record<string, string> = { apps: 'end', browsers: 'end' },
    ) => {
      const after = await browser.post('/recover/finish', { ...page.parameters, password, ...more })
      return placeOf(after) === '/recover/review' ? browser.post('/recover/review/submit', after.parameters) : after
    },
    problemsOf: async (name: string) => (await readFlash(context, browser.cookies(), name))?.problems,
    newLetters: async () => (await lettersTo(context, address)).slice(0, -seen || undefined),
  }
}

describe('a recovery by letter', () => {
  it.each([['ada'], [' ADA '], [address], ['Ada@Example.org']])(
    'recovers the account as %j with a code from the letter, ends other sessions and apps, and notifies the person',
    async (login) => {
      const { context, browser, prisma, begin, verify, finish, tokens, userinfo, newLetters } = await setUp()
      const elsewhere = openBrowser(context)
      const agreed = await elsewhere.decide(await elsewhere.signIn(await elsewhere.authorize()))
      const { access_token } = await tokens(agreed)
      const codePage = await begin(login)
      expect(placeOf(codePage)).toBe('/recover/code')
      const passwordPage = await verify(codePage, await codeSentTo(context, address))
      expect(placeOf(passwordPage)).toBe('/recover/password')
      const home = await finish(passwordPage, 'a brand new pass phrase')
      expect(placeOf(home)).toBe('/account')
      expect(await browser.shownSession()).toBeDefined()
      expect(await elsewhere.shownSession()).toBeUndefined()
      expect((await userinfo(access_token)).status).toBe(401)
      expect((await newLetters()).map(({ subject }) => subject)).toContain('アカウントを回復しました')
      expect(await prisma.activity.count({ where: { kind: 'recovered' } })).toBe(1)
      const again = openBrowser(context)
      const entered = await again.signIn(await again.authorize(), { password: 'a brand new pass phrase' })
      expect(placeOf(entered)).toBe(callback)
    },
  )

  it('continues to the app, with amr otp and acr aal1 in the ID token', async () => {
    const { context, browser, begin, verify, finish, tokens } = await setUp()
    const { request } = (await browser.authorize()).parameters
    const codePage = await begin('ada', { request: request as string })
    const passwordPage = await verify(codePage, await codeSentTo(context, address))
    const consent = await finish(passwordPage, 'a brand new pass phrase')
    expect(placeOf(consent)).toBe('/consent')
    const { id_token } = await tokens(await browser.decide(consent))
    expect(decodeJwt(id_token)).toMatchObject({ amr: ['otp'], acr: 'aal1' })
  })

  it('keeps the tokens of apps if chosen', async () => {
    const { context, begin, verify, finish, tokens, userinfo } = await setUp()
    const elsewhere = openBrowser(context)
    const { access_token } = await tokens(await elsewhere.decide(await elsewhere.signIn(await elsewhere.authorize())))
    const passwordPage = await verify(await begin('ada'), await codeSentTo(context, address))
    await finish(passwordPage, 'a brand new pass phrase', {})
    expect((await userinfo(access_token)).status).toBe(200)
  })

  it('shows the problem with the new password', async () => {
    const { context, begin, verify, finish, problemsOf } = await setUp()
    const passwordPage = await verify(await begin('ada'), await codeSentTo(context, address))
    for (const [password, code] of [
      ['', 'password_missing'],
      ['short', 'password_short'],
      ['password', 'password_common'],
      ['x'.repeat(257), 'password_long'],
    ] as const) {
      expect(placeOf(await finish(passwordPage, password))).toBe('/recover/password')
      expect(await problemsOf('recover-password')).toEqual([{ field: 'password', code }])
    }
  })

  it('sets one password for one proof when the form is sent repeatedly', async () => {
    const { context, begin, verify, finish, problemsOf } = await setUp()
    const passwordPage = await verify(await begin('ada'), await codeSentTo(context, address))
    const ends = await Promise.all(['first pass phrase', 'other pass phrase'].map((one) => finish(passwordPage, one)))
    expect(ends.map(placeOf).sort()).toEqual(['/account', '/recover'])
    expect(placeOf(await finish(passwordPage, 'third pass phrase'))).toBe('/recover')
    expect(await problemsOf('recover')).toEqual([{ code: 'expired' }])
  })
})

describe('a recovery of another account, or of an unknown name', () => {
  const shape = ({ url, response, trail, parameters: { step = '' } }: Arrival) => ({
    path: url.pathname,
    status: response.status,
    trail,
    parameters: [...url.searchParams.keys()],
    length: Math.ceil(step.length / 100),
  })

  it('shows the same pages and problems for known and unknown names', async () => {
    const seen = []
    for (const login of ['ada', 'bob', 'nob']) {
      const { begin, verify, resend, problemsOf, later } = await setUp()
      const codePage = await begin(login)
      const steps: unknown[] = [shape(codePage)]
      for (let guess = 0; guess < 7; guess++) {
        steps.push(shape(await verify(codePage, '000000')), await problemsOf('recover-code'))
      }
      steps.push(shape(await resend(codePage)), await problemsOf('recover-code'))
      later(30)
      const next = await resend(codePage)
      steps.push(shape(next), await problemsOf('recover-code'))
      later(30)
      steps.push(shape(await resend(next)), await problemsOf('recover-code'))
      seen.push(steps)
    }
    expect(seen[1]).toEqual(seen[0])
    expect(seen[2]).toEqual(seen[0])
  })

  it('voids the code of the letter after five wrong guesses', async () => {
    const { context, begin, verify, problemsOf } = await setUp()
    const codePage = await begin('ada')
    const code = await codeSentTo(context, address)
    for (let guess = 0; guess < 5; guess++) await verify(codePage, code === '000000' ? '000001' : '000000')
    expect(placeOf(await verify(codePage, code))).toBe('/recover/code')
    expect(await problemsOf('recover-code')).toEqual([{ field: 'code', code: 'code_wrong' }])
  })

  it('does not continue in another browser', async () => {
    const { context, begin } = await setUp()
    const codePage = await begin('ada')
    const code = await codeSentTo(context, address)
    const thief = openBrowser(context)
    expect(placeOf(await thief.post('/recover/verify', { ...codePage.parameters, code }))).toBe('/recover')
  })

  it('sends one letter for repeated requests, and at most ten a day', async () => {
    const { context, prisma, begin, later } = await setUp()
    await prisma.person.update({ where: { username: 'bob' }, data: { email: 'flooded@example.org' } })
    for (let time = 0; time < 4; time++) await begin('bob')
    expect(await lettersTo(context, 'flooded@example.org')).toHaveLength(1)
    for (let time = 0; time < 14; time++) {
      later(3600)
      await begin('bob')
      await context.letters.settled()
    }
    const letters = await lettersTo(context, 'flooded@example.org')
    expect(letters.length).toBeGreaterThan(4)
    expect(letters.length).toBeLessThanOrEqual(10)
    await prisma.person.update({ where: { username: 'bob' }, data: { email: null } })
  })

  it('is not blocked by the requests and guesses of strangers', async () => {
    const { context, begin, verify, newLetters, later } = await setUp()
    const codePage = await begin('ada')
    expect(await newLetters()).toHaveLength(1)
    const code = await codeSentTo(context, address)
    later(60)
    for (let stranger = 1; stranger <= 3; stranger++) {
      const thief = openBrowser(context, `198.51.100.${stranger}`)
      const theirs = await thief.post('/recover/submit', { login: 'ada' })
      for (let guess = 0; guess < 6; guess++)
        await thief.post('/recover/verify', { ...theirs.parameters, code: code === '000000' ? '111111' : '000000' })
      // A code is valid only in the browser that asked for it.
      expect(placeOf(await thief.post('/recover/verify', { ...theirs.parameters, code }))).toBe('/recover/code')
    }
    expect(placeOf(await verify(codePage, code))).toBe('/recover/password')
  })

  it('rejects the code of a letter to an address that is no longer bound', async () => {
    const { context, prisma, begin, verify, newLetters } = await setUp()
    const codePage = await begin('ada')
    expect(await newLetters()).toHaveLength(1)
    const code = await codeSentTo(context, address)
    await prisma.person.update({ where: { username: 'ada' }, data: { email: 'new@example.org' } })
    expect(placeOf(await verify(codePage, code))).toBe('/recover/code')
  })

  it('rejects a step that is an hour old or forged', async () => {
    const { context, begin, verify, later, newLetters } = await setUp()
    const codePage = await begin('ada')
    expect(await newLetters()).toHaveLength(1)
    const code = await codeSentTo(context, address)
    later(3600)
    expect(placeOf(await verify(codePage, code))).toBe('/recover')
    expect(placeOf(await verify({ ...codePage, parameters: { step: 'x'.repeat(5000) } }, code))).toBe('/recover')
  })
})

it('rejects an empty name and a form from another site', async () => {
  const { browser, begin, problemsOf } = await setUp()
  expect(placeOf(await begin('  '))).toBe('/recover')
  expect(await problemsOf('recover')).toEqual([{ field: 'login', code: 'login_missing' }])
  const foreign = await browser.post('/recover/submit', { login: 'ada' }, { 'sec-fetch-site': 'cross-site' })
  expect(placeOf(foreign)).toBe('/error')
})
