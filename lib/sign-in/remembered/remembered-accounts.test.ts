import { expect, it } from 'vitest'
import { type Browser, openBrowser } from '#lib/testing/browser/browser'
import { placeOf, shareFlow } from '#lib/testing/browser/flow'
import { rememberedAccounts } from './remembered-accounts.ts'

const start = shareFlow()

async function setUp() {
  const started = await start()
  const { browser, context, prisma } = started
  const faces = (one: Browser = browser) => rememberedAccounts(context, one.cookies())
  const names = async (one: Browser = browser) => (await faces(one)).map(({ username }) => username)
  const signIn = async (fields: Record<string, string> = {}, one: Browser = browser) =>
    one.signIn(await one.authorize({ prompt: 'login' }), fields)
  const leave = (one: Browser = browser) => one.post('/logout/submit', {})
  const forget = async (who: string, one: Browser = browser) =>
    one.post('/signin/forget', { request: (await one.authorize({ prompt: 'login' })).parameters.request, who })
  const hoursLeft = async () => {
    const { authenticatedAt, expiresAt } = await prisma.session.findFirstOrThrow({ where: { endedAt: null } })
    return (expiresAt.getTime() - authenticatedAt.getTime()) / 3_600_000
  }
  return { ...started, faces, names, signIn, leave, forget, hoursLeft }
}

it('remembers the accounts after a sign-out, the latest first', async () => {
  const { names, signIn, leave } = await setUp()
  expect(await names()).toEqual([])
  await signIn()
  await leave()
  await signIn({ username: 'bob', password: 'staple horse battery' })
  await leave()
  expect(await names()).toEqual(['bob', 'ada'])
})

it('moves an account to the front when it signs in again', async () => {
  const { names, signIn, leave } = await setUp()
  for (const fields of [{}, { username: 'bob', password: 'staple horse battery' }, {}]) {
    await signIn(fields)
    await leave()
  }
  expect(await names()).toEqual(['ada', 'bob'])
})

it('shows no address and no id', async () => {
  const { faces, signIn } = await setUp()
  await signIn()
  const [face] = await faces()
  expect(Object.keys(face ?? {}).sort()).toEqual(['avatarFile', 'id', 'initials', 'mark', 'name', 'username'])
  expect(face?.mark).toMatch(/^[0-9a-zA-Z_-]{12}$/)
  expect(face?.id).not.toContain(face?.mark)
})

it.each([
  ['a new password or a sign-out elsewhere', { knownVersion: { increment: 1 } }],
  ['the operator disabled the account', { disabledAt: new Date() }],
  ['its time to be deleted has come', { deleteAfter: new Date(0) }],
])('forgets an account after %s', async (_, data) => {
  const { names, signIn, prisma } = await setUp()
  await signIn()
  expect(await names()).toEqual(['ada'])
  const { deleteAfter } = await prisma.person.findUniqueOrThrow({ where: { username: 'ada' } })
  await prisma.person.update({ where: { username: 'ada' }, data })
  expect(await names()).toEqual([])
  await prisma.person.update({ where: { username: 'ada' }, data: { disabledAt: null, deleteAfter } })
})

it('is of no use in another browser', async () => {
  const { browser, context, names, signIn } = await setUp()
  await signIn()
  const thief = openBrowser(context)
  await thief.authorize()
  thief.jar.set('postern-known', browser.jar.get('postern-known') ?? '')
  expect(await names(thief)).toEqual([])
})

it('removes one account and keeps the others and the request', async () => {
  const { names, faces, signIn, leave, forget } = await setUp()
  await signIn()
  await leave()
  await signIn({ username: 'bob', password: 'staple horse battery' })
  await leave()
  const [bob] = await faces()
  const page = await forget(bob?.mark ?? '')
  expect([placeOf(page), page.parameters.as]).toEqual(['/signin', 'other'])
  expect(page.parameters.request).toBeDefined()
  expect(await names()).toEqual(['ada'])
  const [ada] = await faces()
  await Promise.all([forget(ada?.mark ?? ''), forget(ada?.mark ?? '')])
  expect(await names()).toEqual([])
})

it.each([
  ['nothing', ''],
  ['an unknown mark', 'x'.repeat(12)],
  ['a mark without end', 'x'.repeat(60_000)],
  ['the username', 'ada'],
])('removes nothing for %s', async (_, who) => {
  const { names, signIn, forget } = await setUp()
  await signIn()
  expect(placeOf(await forget(who))).toBe('/signin')
  expect(await names()).toEqual(['ada'])
})

it('refuses a removal that another site posts', async () => {
  const { browser, faces, names, signIn } = await setUp()
  await signIn()
  const [ada] = await faces()
  const fields = { to: '/account', who: ada?.mark ?? '' }
  const answer = await browser.post('/signin/forget', fields, { 'sec-fetch-site': 'cross-site' })
  expect(placeOf(answer)).toBe('/error')
  expect(await names()).toEqual(['ada'])
})

it('remembers nobody on a shared device, forgets an earlier memory, and signs out after 8 hours', async () => {
  const { names, signIn, leave, hoursLeft } = await setUp()
  await signIn()
  await leave()
  await signIn({ shared: '1' })
  expect(await names()).toEqual([])
  expect(await hoursLeft()).toBe(8)
})

it('does not prolong the session of a shared device when the person confirms', async () => {
  const { signIn, prisma, names } = await setUp()
  await signIn({ shared: '1' })
  const before = await prisma.session.findFirstOrThrow({ where: { endedAt: null } })
  await signIn()
  const after = await prisma.session.findFirstOrThrow({ where: { endedAt: null } })
  expect([after.id === before.id, after.expiresAt]).toEqual([false, before.expiresAt])
  expect(await names()).toEqual([])
})

it.each(['', 'yes', '0'])('takes “%s” for a device that is not shared', async (shared) => {
  const { names, signIn, hoursLeft } = await setUp()
  await signIn({ shared })
  expect(await hoursLeft()).toBe(30 * 24)
  expect(await names()).toEqual(['ada'])
})
