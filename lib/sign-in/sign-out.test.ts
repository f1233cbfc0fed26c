import { expect, it } from 'vitest'
import { openBrowser } from '#lib/testing/browser/browser'
import { placeOf, shareFlow } from '#lib/testing/browser/flow'

const start = shareFlow()

/** Signs a person in in two browsers. */
async function setUp() {
  const started = await start()
  const { browser, context } = started
  const other = openBrowser(context)
  const arrive = async (one: typeof browser) =>
    one.decide(await one.signIn(await one.authorize({ prompt: 'consent login' })))
  await arrive(other)
  return { ...started, other, back: await arrive(browser) }
}

it('ends the session, deletes the cookie and shows the page', async () => {
  const { browser } = await setUp()
  const answer = await browser.post('/logout/submit', {})
  expect(placeOf(answer)).toBe('/logout')
  expect(answer.cookieLines).toEqual(['postern-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax'])
  expect(placeOf(await browser.authorize())).toBe('/signin')
})

it('rejects a copy of the cookie afterwards', async () => {
  const { browser } = await setUp()
  const cookie = browser.jar.get('postern-session') as string
  await browser.post('/logout/submit', {})
  browser.jar.set('postern-session', cookie)
  expect((await browser.authorize({ prompt: 'none' })).parameters.error).toBe('login_required')
})

it('keeps other browsers signed in, and the tokens of apps', async () => {
  const { browser, other, back, tokens, userinfo, token } = await setUp()
  const { access_token, refresh_token } = await tokens(back)
  await browser.post('/logout/submit', {})
  expect((await other.authorize({ prompt: 'none' })).parameters).toHaveProperty('code')
  expect((await userinfo(access_token)).status).toBe(200)
  expect((await token({ grant_type: 'refresh_token', refresh_token })).status).toBe(200)
})

it.each<Record<string, string>>([{}, { origin: 'null' }])(
  'requires the public id of the session in a form without origin headers (%j)',
  async (headers) => {
    const { browser } = await setUp()
    expect(placeOf(await browser.post('/logout/submit', {}, headers))).toBe('/error')
    const session = await browser.shownSession()
    expect(session).toBeDefined()
    expect(placeOf(await browser.post('/logout/submit', { session }, headers))).toBe('/logout')
    expect(await browser.shownSession()).toBeUndefined()
  },
)

it('deletes no cookie for a cross-site form, which carries none', async () => {
  const { context } = await setUp()
  const answer = await openBrowser(context).post('/logout/submit', {}, { origin: 'null' })
  expect([placeOf(answer), answer.cookieLines]).toEqual(['/logout', []])
})

it('shows the same page without a session', async () => {
  const { context } = await setUp()
  expect(placeOf(await openBrowser(context).post('/logout/submit', {}))).toBe('/logout')
})

it('signs out every account of the browser, and records it in their activity', async () => {
  const { browser, prisma } = await setUp()
  await browser.signIn(await browser.authorize({ prompt: 'login' }), {
    username: 'bob',
    password: 'staple horse battery',
  })
  await prisma.activity.deleteMany()
  await browser.post('/logout/submit', {})
  expect((await browser.authorize({ prompt: 'none' })).parameters.error).toBe('login_required')
  const rows = await prisma.activity.findMany({ select: { kind: true, person: { select: { username: true } } } })
  expect(rows.map(({ kind, person }) => `${person.username} ${kind}`).sort()).toEqual([
    'ada signed_out',
    'bob signed_out',
  ])
})
