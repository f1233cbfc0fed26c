import { expect, test } from 'vitest'
import { openBrowser } from '#lib/testing/browser/browser'
import { placeOf, shareJourney } from '#lib/testing/browser/journey'

const start = shareJourney()

/** One person signed in in two browsers. */
async function setUp() {
  const travelling = await start()
  const { browser, context } = travelling
  const other = openBrowser(context)
  const arrive = async (one: typeof browser) =>
    one.decide(await one.signIn(await one.authorize({ prompt: 'consent login' })))
  await arrive(other)
  return { ...travelling, other, back: await arrive(browser) }
}

test('signing out ends this session and shows the page; the cookie goes', async () => {
  const { browser } = await setUp()
  const answer = await browser.post('/signout/submit', {})
  expect(placeOf(answer)).toBe('/signout')
  expect(answer.cookieLines).toEqual(['postern-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax'])
  expect(placeOf(await browser.authorize())).toBe('/signin')
})

test('a copy of the cookie is of no use afterwards', async () => {
  const { browser } = await setUp()
  const cookie = browser.jar.get('postern-session') as string
  await browser.post('/signout/submit', {})
  browser.jar.set('postern-session', cookie)
  expect((await browser.authorize({ prompt: 'none' })).parameters.error).toBe('login_required')
})

test('other browsers stay signed in, and apps keep their tokens', async () => {
  const { browser, other, back, tokens, userinfo, token } = await setUp()
  const { access_token, refresh_token } = await tokens(back)
  await browser.post('/signout/submit', {})
  expect((await other.authorize({ prompt: 'none' })).parameters).toHaveProperty('code')
  expect((await userinfo(access_token)).status).toBe(200)
  expect((await token({ grant_type: 'refresh_token', refresh_token })).status).toBe(200)
})

test.each<Record<string, string>>([{}, { origin: 'null' }])(
  'a form that says nothing of where it is from needs what only our page knows (%j)',
  async (headers) => {
    const { browser } = await setUp()
    expect(placeOf(await browser.post('/signout/submit', {}, headers))).toBe('/error')
    const session = await browser.shownSession()
    expect(session).toBeDefined()
    expect(placeOf(await browser.post('/signout/submit', { session }, headers))).toBe('/signout')
    expect(await browser.shownSession()).toBeUndefined()
  },
)

test('a form from elsewhere, to which no cookie comes along, takes none away', async () => {
  const { context } = await setUp()
  const answer = await openBrowser(context).post('/signout/submit', {}, { origin: 'null' })
  expect([placeOf(answer), answer.cookieLines]).toEqual(['/signout', []])
})

test('who is not signed in is shown the same page', async () => {
  const { context } = await setUp()
  expect(placeOf(await openBrowser(context).post('/signout/submit', {}))).toBe('/signout')
})

test('everybody signed in in this browser is signed out, and finds it in their activity', async () => {
  const { browser, prisma } = await setUp()
  await browser.signIn(await browser.authorize({ prompt: 'login' }), {
    username: 'bob',
    password: 'staple horse battery',
  })
  await prisma.activity.deleteMany()
  await browser.post('/signout/submit', {})
  expect((await browser.authorize({ prompt: 'none' })).parameters.error).toBe('login_required')
  const told = await prisma.activity.findMany({ select: { kind: true, person: { select: { username: true } } } })
  expect(told.map(({ kind, person }) => `${person.username} ${kind}`).sort()).toEqual([
    'ada signed_out',
    'bob signed_out',
  ])
})
