import { describe, expect, it } from 'vitest'
import { readFlash } from '#lib/http/flash'
import type { Arrival } from '#lib/testing/browser/browser'
import { placeOf, shareFlow } from '#lib/testing/browser/flow'
import { callback } from '#lib/testing/process/postern'
import { codeSentTo, lettersTo } from '#lib/testing/relay/mail'

const share = shareFlow()
const bob = { username: 'bob', password: 'staple horse battery' }
const mail = { client_id: 'acme-mail', scope: 'openid email' }
let count = 0

/** Starts a sign-in to an app as bob, an account without a bound e-mail address. */
async function setUp(asked: Record<string, string> = mail) {
  const shared = await share()
  const { context, browser, prisma } = shared
  await prisma.emailCode.deleteMany()
  await prisma.activity.deleteMany()
  await prisma.consent.deleteMany()
  await prisma.person.update({ where: { username: 'bob' }, data: { email: null } })
  const address = `bob${++count}@example.org`
  const form = async ({ parameters: { request } }: Arrival) => ({ request, session: await browser.shownSession() })
  const post = async (page: Arrival, path: string, fields: Record<string, string>) =>
    browser.post(path, { ...(await form(page)), ...fields })
  return {
    ...shared,
    address,
    page: await browser.signIn(await browser.authorize(asked), bob),
    give: (page: Arrival, typed = address) => post(page, '/bind-email/submit', { address: typed }),
    verify: (page: Arrival, code: string) => post(page, '/bind-email/verify', { code }),
    resend: (page: Arrival) => post(page, '/bind-email/resend', {}),
    act: (page: Arrival, action: string) => post(page, '/bind-email/submit', { action }),
    problemsOf: async (name: string) => (await readFlash(context, browser.cookies(), name))?.problems,
    emailOf: async (username: string) => (await prisma.person.findUniqueOrThrow({ where: { username } })).email,
  }
}

describe('an app that requires an address, and a person without one', () => {
  it('binds the address, asks for consent, and issues the code', async () => {
    const { context, browser, prisma, page, address, give, verify, emailOf } = await setUp()
    expect(placeOf(page)).toBe('/bind-email')
    const before = await prisma.person.findUniqueOrThrow({ where: { username: 'bob' } })
    const codePage = await give(page, `  ${address.toUpperCase()} `)
    expect(placeOf(codePage)).toBe('/bind-email/code')
    const consent = await verify(codePage, await codeSentTo(context, address))
    expect(placeOf(consent)).toBe('/consent')
    expect(await emailOf('bob')).toBe(address)
    const after = await prisma.person.findUniqueOrThrow({ where: { username: 'bob' } })
    expect(after.profileUpdatedAt).toEqual(before.profileUpdatedAt)
    expect(await prisma.activity.findMany({ where: { kind: 'email_bound' } })).toHaveLength(1)
    const back = await browser.decide(consent, { scope: ['openid', 'email'], email_choice: 'regular' })
    expect(placeOf(back)).toBe(callback)
    expect(back.parameters.code).toBeDefined()
  })

  it('voids a code after five wrong guesses, and accepts the code of a new letter', async () => {
    const { context, page, address, give, verify, resend, problemsOf, later } = await setUp()
    const codePage = await give(page)
    const first = await codeSentTo(context, address)
    const wrong = first === '000000' ? '000001' : '000000'
    for (const left of [4, 3, 2, 1]) {
      expect(placeOf(await verify(codePage, wrong))).toBe('/bind-email/code')
      expect(await problemsOf('bind-code')).toEqual([{ field: 'code', code: 'code_wrong', left }])
    }
    await verify(codePage, wrong)
    expect(await problemsOf('bind-code')).toEqual([{ field: 'code', code: 'code_spent' }])
    await verify(codePage, first)
    expect(await problemsOf('bind-code')).toEqual([{ field: 'code', code: 'code_spent' }])
    await resend(codePage)
    expect(await problemsOf('bind-code')).toEqual([{ code: 'wait', wait: 30 }])
    later(30)
    await resend(codePage)
    expect(await problemsOf('bind-code')).toEqual([])
    expect(placeOf(await verify(codePage, await codeSentTo(context, address)))).toBe('/consent')
  })

  it('asks for a new sign-in before an old session binds an address', async () => {
    const { context, browser, address, give, verify, later, emailOf } = await setUp()
    later(11 * 60)
    const before = await browser.shownSession()
    const again = await browser.authorize(mail)
    expect(placeOf(again)).toBe('/signin')
    const { request } = again.parameters
    const forced = await browser.post('/bind-email/submit', { request, session: before, address })
    expect(placeOf(forced)).toBe('/signin')
    expect(await lettersTo(context, address)).toHaveLength(0)
    const page = await browser.signIn(again, bob)
    expect(placeOf(page)).toBe('/bind-email')
    expect(placeOf(await verify(await give(page), await codeSentTo(context, address)))).toBe('/consent')
    expect(await emailOf('bob')).toBe(address)
  })

  it('tells the app access_denied when the person cancels on either page', async () => {
    const { browser, page, give, act } = await setUp()
    for (const cancelled of [await act(page, 'cancel'), await act(await give(page), 'cancel')]) {
      expect(placeOf(cancelled)).toBe(callback)
      expect(cancelled.parameters).toMatchObject({ error: 'access_denied', state: 'state' })
    }
    expect(browser.jar.size).toBeGreaterThan(0)
  })

  it('leads back to the same question when the person skips it', async () => {
    const { page, act } = await setUp()
    expect(placeOf(await act(page, 'skip'))).toBe('/bind-email')
  })

  it('binds once when the code is posted twice, and lets both posts continue', async () => {
    const { context, prisma, page, address, give, verify } = await setUp()
    const codePage = await give(page)
    const code = await codeSentTo(context, address)
    expect(placeOf(await verify(codePage, code))).toBe('/consent')
    expect(placeOf(await verify(codePage, code))).toBe('/consent')
    expect(await prisma.activity.count({ where: { kind: 'email_bound' } })).toBe(1)
  })

  it('answers a silent request with interaction_required', async () => {
    const { browser } = await setUp()
    const answer = await browser.authorize({ ...mail, prompt: 'none' })
    expect(answer.parameters.error).toBe('interaction_required')
  })
})

describe('an address', () => {
  it.each([
    ['', 'address_missing'],
    ['bob', 'address_invalid'],
    ['bob@example.org, eve@example.org', 'address_invalid'],
    ['bob@example.org\r\nBcc: eve@example.org', 'address_invalid'],
    ['k7m2x@relay.localhost', 'address_relay'],
    ['X@RELAY.LOCALHOST', 'address_relay'],
  ])('rejects %j beside its field, and keeps it', async (typed, code) => {
    const { context, browser, page, give, problemsOf } = await setUp()
    expect(placeOf(await give(page, typed))).toBe('/bind-email')
    expect(await problemsOf('bind-email')).toEqual([{ field: 'address', code }])
    expect((await readFlash(context, browser.cookies(), 'bind-email'))?.kept).toEqual({ address: typed })
  })

  it('answers the same for another person’s address, writes to its owner, and does not bind it', async () => {
    const { context, page, give, verify, problemsOf, emailOf } = await setUp()
    const before = (await lettersTo(context, 'ada@example.org')).length
    const codePage = await give(page, 'ada@example.org')
    expect(placeOf(codePage)).toBe('/bind-email/code')
    const letters = await lettersTo(context, 'ada@example.org')
    expect(letters).toHaveLength(before + 1)
    expect(letters[0]?.text).not.toMatch(/\d{6}/)
    await verify(codePage, '123456')
    expect((await problemsOf('bind-code'))?.[0]?.code).toBe('code_wrong')
    expect(await emailOf('bob')).toBeNull()
  })

  it('answers as for a void code when another person has bound the address since', async () => {
    const { context, prisma, page, address, give, verify, problemsOf, emailOf } = await setUp()
    const codePage = await give(page)
    const code = await codeSentTo(context, address)
    await prisma.person.update({ where: { username: 'ada' }, data: { email: address } })
    await verify(codePage, code)
    expect(await problemsOf('bind-code')).toEqual([{ field: 'code', code: 'code_spent' }])
    expect(await emailOf('bob')).toBeNull()
    await prisma.person.update({ where: { username: 'ada' }, data: { email: 'ada@example.org' } })
  })

  it('leads to the code page without another letter when its code was just sent', async () => {
    const { context, page, address, give, problemsOf } = await setUp()
    await give(page)
    expect(placeOf(await give(page))).toBe('/bind-email/code')
    expect(await lettersTo(context, address)).toHaveLength(1)
    expect(placeOf(await give(page, `other-${address}`))).toBe('/bind-email/code')
    expect(placeOf(await give(page, `third-${address}`))).toBe('/bind-email')
    expect(await problemsOf('bind-email')).toEqual([{ code: 'wait', wait: 60 }])
  })
})

it('changes nothing for a form of another session, or without a session', async () => {
  const { context, browser, page, address, give } = await setUp()
  const request = page.parameters.request
  expect(placeOf(await browser.post('/bind-email/submit', { request, session: 'other', address }))).toBe('/bind-email')
  expect(placeOf(await browser.post('/bind-email/submit', { request, address }))).toBe('/bind-email')
  expect(await lettersTo(context, address)).toEqual([])
  const foreign = await browser.post('/bind-email/submit', { request }, { 'sec-fetch-site': 'cross-site' })
  expect(placeOf(foreign)).toBe('/error')
  expect(placeOf(await give(page))).toBe('/bind-email/code')
})

describe('an app that does not require an address', () => {
  const asked = { client_id: 'acme-web', scope: 'openid name email' }

  it('binds the shared address and continues to the code', async () => {
    const { context, browser, prisma, page, address, give, verify, tokens } = await setUp(asked)
    expect(placeOf(page)).toBe('/consent')
    const choice = { scope: ['openid', 'name', 'email'], email_choice: 'regular' }
    const binding = await browser.decide(page, choice)
    expect(placeOf(binding)).toBe('/bind-email')
    expect(await prisma.consent.count()).toBe(0)
    const codePage = await give(binding)
    const code = await codeSentTo(context, address)
    const back = await verify(codePage, code)
    expect(placeOf(back)).toBe(callback)
    expect((await tokens(back)).scope).toContain('email')
    expect(await prisma.activity.count({ where: { kind: 'consent_given' } })).toBe(1)
    // A double submit stores nothing more.
    await verify(codePage, code)
    expect(await prisma.activity.count({ where: { kind: 'consent_given' } })).toBe(1)
  })

  it('grants nothing when its page is opened again after a withdrawal', async () => {
    const { context, browser, prisma, page, address, give, verify } = await setUp(asked)
    const consent = { scope: ['openid', 'name', 'email'], email_choice: 'regular' }
    const binding = await browser.decide(page, consent)
    const codePage = await give(binding)
    await verify(codePage, await codeSentTo(context, address))
    await prisma.consent.deleteMany()
    const again = await browser.visit(`/continue?request=${codePage.parameters.request}`)
    expect(placeOf(again)).toBe('/consent')
    expect(await prisma.consent.count()).toBe(0)
    // The request is finished: its form leads to the error page, which links back to the app.
    expect(placeOf(await browser.decide(again, consent))).toBe('/error')
    expect(await prisma.consent.count()).toBe(0)
  })

  it('stores nothing when the person cancels, and asks again next time', async () => {
    const { browser, prisma, page, act } = await setUp(asked)
    const choice = { scope: ['openid', 'name', 'email'], email_choice: 'hidden' }
    const back = await act(await browser.decide(page, choice), 'cancel')
    expect(back.parameters.error).toBe('access_denied')
    expect(await prisma.consent.count()).toBe(0)
    expect(await prisma.activity.count({ where: { kind: 'consent_given' } })).toBe(0)
    expect(placeOf(await browser.authorize(asked))).toBe('/consent')
  })

  it('keeps a decision made in another tab', async () => {
    const { context, browser, page, address, give, verify, tokens } = await setUp(asked)
    const choice = { scope: ['openid', 'name', 'email'], email_choice: 'regular' }
    const binding = await browser.decide(page, choice)
    const other = await browser.decide(await browser.authorize(asked), { scope: ['openid'], email_choice: 'none' })
    expect(placeOf(other)).toBe(callback)
    const back = await verify(await give(binding), await codeSentTo(context, address))
    expect(placeOf(back)).toBe(callback)
    expect((await tokens(back)).scope).toBe('openid')
  })

  it('continues without an address when the person skips it', async () => {
    const { browser, page, act, tokens } = await setUp(asked)
    const choice = { scope: ['openid', 'name', 'email'], email_choice: 'hidden' }
    const back = await act(await browser.decide(page, choice), 'skip')
    expect(placeOf(back)).toBe(callback)
    expect((await tokens(back)).scope).toBe('openid name')
  })
})
