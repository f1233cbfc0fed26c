import { expect, it } from 'vitest'
import { readFlash } from '#lib/http/flash'
import { placeOf, shareFlow } from '#lib/testing/browser/flow'
import { codeSentTo, lettersTo } from '#lib/testing/relay/mail'
import { messagesFor } from '#lib/text/messages'

const share = shareFlow()
const [page, email] = ['/account/email/confirm', '/account/email']
let count = 0

/** Signs ada in, whose forwarding is paused. */
async function setUp({ paused = true } = {}) {
  const shared = await share()
  const { context, browser, prisma, clock } = shared
  await prisma.emailCode.deleteMany()
  const address = `ada-returned${++count}@example.org`
  const mailPausedAt = paused ? clock.now : null
  await prisma.person.update({ where: { username: 'ada' }, data: { email: address, mailPausedAt } })
  await browser.signIn(await browser.authorize())
  await context.letters.settled()
  await prisma.activity.deleteMany()
  const subject = messagesFor('ja').letters.codeToConfirm.subject
  const flash = () => readFlash(context, browser.cookies(), 'email-confirm')
  return {
    ...shared,
    address,
    codes: async () => (await lettersTo(context, address)).filter((letter) => letter.subject === subject),
    send: (fields = {}) => browser.post(`${page}/send`, fields),
    verify: (code: string) => browser.post(`${page}/verify`, { code }),
    flash,
    problems: async () => (await flash())?.problems,
    isPaused: async () => (await prisma.person.findUniqueOrThrow({ where: { username: 'ada' } })).mailPausedAt !== null,
    kinds: async () => (await prisma.activity.findMany()).map(({ kind }) => kind),
  }
}

it('resumes forwarding with the code from the bound address, and records it', async () => {
  const { context, address, send, verify, flash, isPaused, kinds, codes } = await setUp()
  expect(placeOf(await send())).toBe(page)
  expect((await flash())?.done).toBe('sent')
  expect(await codes()).toHaveLength(1)
  expect(await isPaused()).toBe(true)
  expect(placeOf(await verify(await codeSentTo(context, address)))).toBe(email)
  expect((await flash())?.done).toBe('confirmed')
  expect(await isPaused()).toBe(false)
  expect(await kinds()).toEqual(['mail_confirmed'])
})

it('rejects a wrong or missing code beside the field', async () => {
  const { context, address, send, verify, problems, isPaused } = await setUp()
  await send()
  const wrong = (await codeSentTo(context, address)) === '000000' ? '000001' : '000000'
  await verify('abc')
  expect(await problems()).toEqual([{ field: 'code', code: 'code_missing' }])
  await verify(wrong)
  expect(await problems()).toEqual([{ field: 'code', code: 'code_wrong', left: 4 }])
  expect(await isPaused()).toBe(true)
})

it('delays another letter, and leads a repeated request to the code page', async () => {
  const { send, flash, problems, later, codes } = await setUp()
  await send()
  await send()
  expect((await flash())?.done).toBe('sent')
  await send({ again: '1' })
  expect(await problems()).toEqual([{ code: 'wait', wait: 30 }])
  later(30)
  await send({ again: '1' })
  expect((await flash())?.done).toBe('resent')
  expect(await codes()).toHaveLength(2)
})

it('rejects a code that was sent to a former address', async () => {
  const { context, address, send, verify, problems, isPaused, prisma, clock, kinds } = await setUp()
  await send()
  const code = await codeSentTo(context, address)
  const other = { email: `other-${address}`, mailPausedAt: clock.now }
  await prisma.person.update({ where: { username: 'ada' }, data: other })
  await verify(code)
  expect(await problems()).toEqual([{ field: 'code', code: 'code_spent' }])
  expect(await isPaused()).toBe(true)
  expect(await kinds()).toEqual([])
})

it('rejects a code that binds another address', async () => {
  const { context, browser, send, verify, isPaused, address } = await setUp()
  await send()
  const other = `new-${address}`
  await browser.post('/account/email/submit', { address: other })
  const [own, code] = [await codeSentTo(context, address), await codeSentTo(context, other)]
  if (own !== code) await verify(code)
  expect(await isPaused()).toBe(true)
})

it('sends no letter when forwarding is not paused', async () => {
  const { send, verify, codes } = await setUp({ paused: false })
  expect(placeOf(await send())).toBe(email)
  expect(placeOf(await verify('123456'))).toBe(email)
  expect(await codes()).toEqual([])
})

it('redirects to the sign-in page without a session', async () => {
  const { browser, send } = await setUp()
  browser.jar.clear()
  expect(placeOf(await send())).toBe('/signin')
})
