import { expect, it } from 'vitest'
import { readFlash } from '#lib/http/flash'
import { makeAuthenticator } from '#lib/testing/browser/authenticator'
import { openBrowser } from '#lib/testing/browser/browser'
import { placeOf, shareFlow } from '#lib/testing/browser/flow'
import { askOptions, giveTotp } from '#lib/testing/browser/people'

const start = shareFlow()
const able = { username: 'ada', password: 'correct horse battery', makes_passkeys: '1' }

async function setUp() {
  const started = await start()
  const { browser, context, prisma } = started
  await prisma.passkey.deleteMany()
  await prisma.totp.deleteMany()
  const personId = await started.personId('ada')
  const enter = (fields: Record<string, string> = {}, one = browser) =>
    one.post('/signin/submit', { to: '/account/apps', ...able, ...fields })
  const leave = () => browser.post('/logout/submit', {})
  const add = async (fields: Record<string, string> = {}) => {
    const { options, state } = await askOptions(context, browser, { use: 'add' })
    const credential = makeAuthenticator().create(options)
    return browser.post('/passkey/offer/add', { to: '/account/apps', state, credential, ...fields })
  }
  return { ...started, personId, enter, leave, add }
}

it('follows a sign-in to the account where a passkey can be made, and leads on', async () => {
  const { enter, add, context, personId } = await setUp()
  const offer = await enter()
  expect([placeOf(offer), offer.parameters]).toEqual(['/passkey/offer', { to: '/account/apps' }])
  expect(placeOf(await add())).toBe('/account/apps')
  expect((await context.factors.ways(personId)).passkeys).toHaveLength(1)
})

it('never stands in the way to an app', async () => {
  const { browser } = await setUp()
  expect(placeOf(await browser.signIn(await browser.authorize(), able))).toBe('/consent')
})

it('follows the second factor as well', async () => {
  const { browser, context, enter, personId } = await setUp()
  const code = await giveTotp(context, personId)
  expect(placeOf(await enter())).toBe('/two-factor')
  const answer = await browser.post('/two-factor/submit', { to: '/account/apps', code: await code() })
  expect(placeOf(answer)).toBe('/passkey/offer')
})

it.each([
  ['the browser makes no passkeys', { makes_passkeys: '' }],
  ['the device is shared', { shared: '1' }],
  ['the password is wrong', { password: 'x' }],
])('does not appear when %s', async (_, fields) => {
  const { enter } = await setUp()
  expect(placeOf(await enter(fields))).not.toBe('/passkey/offer')
})

it('does not appear for someone who has a passkey, or who only confirms', async () => {
  const { enter, leave, add } = await setUp()
  await enter()
  expect(placeOf(await enter())).toBe('/account/apps')
  await leave()
  await enter()
  await add()
  await leave()
  expect(placeOf(await enter())).toBe('/account/apps')
})

it('is skipped in this browser for 90 days, by this person alone', async () => {
  const { browser, context, enter, leave } = await setUp()
  await enter()
  expect(placeOf(await browser.post('/passkey/offer/later', { to: '/account/apps' }))).toBe('/account/apps')
  await leave()
  expect(placeOf(await enter())).toBe('/account/apps')
  await leave()
  expect(placeOf(await enter({ username: 'bob', password: 'staple horse battery' }))).toBe('/passkey/offer')
  await leave()
  expect(placeOf(await enter({}, openBrowser(context)))).toBe('/passkey/offer')
})

it('is skipped by each of several people in one browser, for 90 days from their own choice', async () => {
  const { browser, enter, leave, later } = await setUp()
  const bob = { username: 'bob', password: 'staple horse battery' }
  const day = 86_400
  for (const [who, wait] of [
    [{}, 60 * day],
    [bob, 0],
  ] as const) {
    await enter(who)
    await browser.post('/passkey/offer/later', { to: '/account/apps' })
    await leave()
    later(wait)
  }
  for (const who of [{}, bob]) {
    expect(placeOf(await enter(who))).toBe('/account/apps')
    await leave()
  }
  later(31 * day)
  expect(placeOf(await enter())).toBe('/passkey/offer')
  await leave()
  expect(placeOf(await enter(bob))).toBe('/account/apps')
})

it.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)', ''])(
  'never leads to another host (%s)',
  async (to) => {
    const { browser, enter } = await setUp()
    await enter()
    expect((await browser.post('/passkey/offer/later', { to })).url.href).toBe('http://localhost:3001/')
  },
)

it('shows the problem of a refused passkey on its own page', async () => {
  const { browser, context, enter, add, personId } = await setUp()
  await enter()
  const again = await add({ credential: '{}' })
  expect([placeOf(again), again.parameters]).toEqual(['/passkey/offer', { to: '/account/apps' }])
  const shown = { page: again.url.pathname + again.url.search, person: personId }
  const flash = await readFlash(context, browser.cookies(), 'passkey-offer', shown)
  expect(flash?.problems).toEqual([{ code: 'passkey_refused' }])
  expect((await context.factors.ways(personId)).passkeys).toHaveLength(0)
})

it('does nothing without a session, and for another site', async () => {
  const { browser, enter } = await setUp()
  expect(placeOf(await browser.post('/passkey/offer/later', { to: '/account' }))).toBe('/signin')
  await enter()
  for (const step of ['add', 'later']) {
    const answer = await browser.post(`/passkey/offer/${step}`, { to: '/account' }, { 'sec-fetch-site': 'cross-site' })
    expect(placeOf(answer)).toBe('/error')
  }
})
