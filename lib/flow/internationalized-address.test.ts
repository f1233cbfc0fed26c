import { expect, it } from 'vitest'
import { openBrowser } from '#lib/testing/browser/browser'
import { placeOf, shareFlow } from '#lib/testing/browser/flow'
import { codeSentTo } from '#lib/testing/relay/mail'

const share = shareFlow()
const mail = { client_id: 'acme-mail', scope: 'openid email' }
const bob = { username: 'bob', password: 'staple horse battery' }
const typed = 'Bob@Bücher.example'
// The mailbox shows an internationalized domain in Unicode, also when the envelope has it in ASCII.
const shown = 'bob@bücher.example'

it('stores a domain typed in Unicode in ASCII, and finds the account by either spelling', async () => {
  const { context, browser, prisma } = await share()
  await prisma.person.update({ where: { username: 'bob' }, data: { email: null } })
  const page = await browser.signIn(await browser.authorize(mail), bob)
  const form = { request: page.parameters.request, session: await browser.shownSession() }
  await browser.post('/bind-email/submit', { ...form, address: typed })
  await browser.post('/bind-email/verify', { ...form, code: await codeSentTo(context, shown) })
  const { email } = await prisma.person.findUniqueOrThrow({ where: { username: 'bob' } })
  expect(email).toBe('bob@xn--bcher-kva.example')
  for (const username of ['BOB@bücher.EXAMPLE', 'bob@xn--bcher-kva.example']) {
    const elsewhere = openBrowser(context)
    await elsewhere.signIn(await elsewhere.authorize(mail), { ...bob, username })
    expect(await elsewhere.shownSession()).toBeDefined()
  }
  const lost = openBrowser(context, '198.51.100.7')
  const codePage = await lost.post('/recover/submit', { login: typed, to: '/account' })
  const code = await codeSentTo(context, shown)
  expect(placeOf(await lost.post('/recover/verify', { ...codePage.parameters, code }))).toBe('/recover/password')
})

it('treats an address that another person has in ASCII as taken in Unicode', async () => {
  const { context, browser, prisma } = await share()
  await prisma.person.update({ where: { username: 'bob' }, data: { email: null } })
  await prisma.person.update({ where: { username: 'ada' }, data: { email: 'ada@xn--bcher-kva.example' } })
  const page = await browser.signIn(await browser.authorize(mail), bob)
  const form = { request: page.parameters.request, session: await browser.shownSession() }
  await browser.post('/bind-email/submit', { ...form, address: 'ada@bücher.example' })
  await expect(codeSentTo(context, 'ada@bücher.example')).rejects.toThrow('No letter with a code')
})
