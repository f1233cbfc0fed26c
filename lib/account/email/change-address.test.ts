import { describe, expect, it } from 'vitest'
import { readFlash } from '#lib/http/flash'
import { placeOf, shareFlow } from '#lib/testing/browser/flow'
import { codeSentTo, lettersTo } from '#lib/testing/relay/mail'

const share = shareFlow()
let count = 0

/** Signs ada in, and waits for the letter about her new browser. */
async function setUp() {
  const shared = await share()
  const { context, browser, prisma } = shared
  await prisma.emailCode.deleteMany()
  await prisma.activity.deleteMany()
  await prisma.attempt.deleteMany()
  const old = `ada${++count}@example.org`
  await prisma.person.update({ where: { username: 'ada' }, data: { email: old } })
  await browser.signIn(await browser.authorize())
  await context.letters.settled()
  return {
    ...shared,
    old,
    give: (address: string) => browser.post('/account/email/submit', { address }),
    verify: (code: string) => browser.post('/account/email/verify', { code }),
    remove: () => browser.post('/account/email/remove/submit', {}),
    flash: async (name: string) => readFlash(context, browser.cookies(), name),
    ada: () => prisma.person.findUniqueOrThrow({ where: { username: 'ada' } }),
    kinds: async () => (await prisma.activity.findMany({ orderBy: { at: 'asc' } })).map(({ kind }) => kind),
  }
}

describe('changing the address', () => {
  it('keeps the old address until the code is entered, then writes to it', async () => {
    const { context, old, give, verify, flash, ada, kinds } = await setUp()
    const before = await ada()
    expect(placeOf(await give(` NEW${count}@example.org`))).toBe('/account/email/code')
    expect((await ada()).email).toBe(old)
    const code = await codeSentTo(context, `new${count}@example.org`)
    expect(placeOf(await verify(code))).toBe('/account/email')
    expect((await flash('email-code'))?.done).toBe('changed')
    const after = await ada()
    expect(after.email).toBe(`new${count}@example.org`)
    expect(after.profileUpdatedAt).toEqual(before.profileUpdatedAt)
    const [letter] = await lettersTo(context, old)
    expect(letter?.subject).toBe('メールアドレスが変更されました')
    expect(letter?.text).not.toContain(`new${count}@`)
    expect(await kinds()).toContain('email_changed')
  })

  it('names the code of the latest letter for the same address again, but only while that code works', async () => {
    const { context, prisma, give, flash } = await setUp()
    const address = `again${count}@example.org`
    await give(address)
    expect(placeOf(await give(address))).toBe('/account/email/code')
    const { now } = context
    const late = {
      sent: 5,
      sentAt: new Date(now().getTime() - 3_400_000),
      expiresAt: new Date(now().getTime() - 2_800_000),
    }
    for (const spent of [{ attempts: 5 }, { attempts: 0, ...late }]) {
      await prisma.emailCode.updateMany({ data: spent })
      expect(placeOf(await give(address))).toBe('/account/email/change')
      expect((await flash('email-change'))?.problems).toEqual([{ code: 'wait', wait: expect.any(Number) }])
    }
    expect(await lettersTo(context, address)).toHaveLength(1)
  })

  it('rejects the bound address beside the field', async () => {
    const { old, give, flash } = await setUp()
    expect(placeOf(await give(old.toUpperCase()))).toBe('/account/email/change')
    expect((await flash('email-change'))?.problems).toEqual([{ field: 'address', code: 'address_same' }])
  })

  it('requires a sign-in within ten minutes at every step', async () => {
    const { context, browser, give, verify, remove, ada, old, later } = await setUp()
    await give(`new${count}@example.org`)
    const code = await codeSentTo(context, `new${count}@example.org`)
    later(599)
    expect(placeOf(await give('x'))).toBe('/account/email/change')
    later(1)
    for (const answer of [
      await give(`other${count}@example.org`),
      await verify(code),
      await browser.post('/account/email/resend', {}),
      await remove(),
    ]) {
      expect(placeOf(answer)).toBe('/signin')
      expect(answer.parameters).toMatchObject({ fresh: '1' })
    }
    expect((await ada()).email).toBe(old)
  })
})

describe('removing the address', () => {
  it('leaves the account without an address, and writes to the removed one', async () => {
    const { context, old, remove, flash, ada, kinds } = await setUp()
    expect(placeOf(await remove())).toBe('/account/email')
    expect((await flash('email-remove'))?.done).toBe('removed')
    expect((await ada()).email).toBeNull()
    expect((await lettersTo(context, old))[0]?.subject).toBe('メールアドレスが削除されました')
    expect(await kinds()).toContain('email_removed')
  })

  it('is rejected while an app relies on it, and names the app', async () => {
    const { context, browser, old, remove, ada } = await setUp()
    const consent = await browser.authorize({ scope: 'openid email' })
    await browser.decide(consent, { scope: ['openid', 'email'], email_choice: 'regular' })
    expect(placeOf(await remove())).toBe('/account/email/remove')
    const { id, email } = await ada()
    expect(email).toBe(old)
    expect(await context.emails.appsWithAddress(id)).toEqual([
      { id: 'acme-web', name: 'Acme Web', names: {}, logoFile: undefined },
    ])
  })
})

it('records a first address as bound, and sends no letter about a change', async () => {
  const { context, give, verify, remove, kinds, flash } = await setUp()
  await remove()
  await give(`first${count}@example.org`)
  await verify(await codeSentTo(context, `first${count}@example.org`))
  expect((await flash('email-code'))?.done).toBe('bound')
  expect(await kinds()).toContain('email_bound')
  expect(await lettersTo(context, `first${count}@example.org`)).toHaveLength(1)
})

it('redirects to the sign-in page without a session', async () => {
  const { browser, give } = await setUp()
  browser.jar.clear()
  expect(placeOf(await give('x@example.org'))).toBe('/signin')
})

it('sends no code to an address that another account can take back, and names no account to it', async () => {
  const { context, prisma, browser, old, give, verify, flash, kinds } = await setUp()
  const { id: sessionId, personId } = await prisma.session.findFirstOrThrow()
  const reserved = `reserved${count}@example.org`
  const changedAt = context.now()
  const bob = await prisma.person.findUniqueOrThrow({ where: { username: 'bob' } })
  const change = { id: `change${count}`, personId: bob.id, oldAddress: reserved, newAddress: '', sessionId, changedAt }
  await prisma.emailChange.create({ data: { ...change, expiresAt: new Date(changedAt.getTime() + 60_000) } })
  expect(placeOf(await give(reserved))).toBe('/account/email/code')
  const [letter] = await lettersTo(context, reserved)
  expect(letter?.text).not.toMatch(/\b(ada|bob)\b|^ {4}\d{6}$/m)
  // A code that was sent before the reservation binds nothing either.
  await prisma.emailChange.updateMany({ data: { personId } })
  await prisma.attempt.deleteMany()
  await prisma.emailCode.deleteMany()
  await give(reserved)
  const code = await codeSentTo(context, reserved)
  await prisma.emailChange.updateMany({ data: { personId: bob.id } })
  expect(placeOf(await verify(code))).toBe('/account/email/code')
  expect((await flash('email-code'))?.problems).toEqual([{ field: 'code', code: 'code_spent' }])
  expect(await kinds()).not.toContain('email_changed')
  expect(await browser.shownSession()).toBeDefined()
  expect((await prisma.person.findUniqueOrThrow({ where: { id: personId } })).email).toBe(old)
})
