import { expect, test } from 'vitest'
import { openBrowser } from '#lib/testing/browser/browser'
import { placeOf, shareJourney } from '#lib/testing/browser/journey'
import { codeSentTo } from '#lib/testing/relay/mail'

const share = shareJourney()
const mail = { client_id: 'acme-mail', scope: 'openid email' }
const bob = { username: 'bob', password: 'staple horse battery' }
const typed = 'Bob@Bücher.example'
// The mailbox shows an internationalized domain in Unicode, whatever the envelope carried.
const shown = 'bob@bücher.example'

test('stores a domain typed in Unicode in ASCII, and finds the account by either spelling', async () => {
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

test('an address that another person has in ASCII is taken in Unicode too', async () => {
  const { context, browser, prisma } = await share()
  await prisma.person.update({ where: { username: 'bob' }, data: { email: null } })
  await prisma.person.update({ where: { username: 'ada' }, data: { email: 'ada@xn--bcher-kva.example' } })
  const page = await browser.signIn(await browser.authorize(mail), bob)
  const form = { request: page.parameters.request, session: await browser.shownSession() }
  await browser.post('/bind-email/submit', { ...form, address: 'ada@bücher.example' })
  await expect(codeSentTo(context, 'ada@bücher.example')).rejects.toThrow('No letter with a code')
})
