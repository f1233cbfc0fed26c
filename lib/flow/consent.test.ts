import { describe, expect, it, onTestFinished } from 'vitest'
import { openBrowser } from '#lib/testing/browser/browser'
import { placeOf, shareFlow } from '#lib/testing/browser/flow'
import { otherNode } from '#lib/testing/console/transfers'
import { callback } from '#lib/testing/process/postern'
import { codeSentTo } from '#lib/testing/relay/mail'

const start = shareFlow()
const bob = { username: 'bob', password: 'staple horse battery' }

/** Signs a person in, up to the consent page. */
async function setUp() {
  const started = await start()
  const { browser, prisma } = started
  const page = await browser.signIn(await browser.authorize())
  const written = async () => [await prisma.consent.count(), await prisma.authorization.count()]
  return { ...started, page, written }
}

it('tells the app access_denied with state and iss on cancel, and grants nothing', async () => {
  const { browser, page, written } = await setUp()
  const back = await browser.decide(page, { action: 'cancel' })
  expect(placeOf(back)).toBe(callback)
  expect(back.parameters).toMatchObject({ error: 'access_denied', state: 'state', iss: 'http://localhost:3000' })
  expect(back.parameters).not.toHaveProperty('code')
  expect(await written()).toEqual([0, 0])
})

it('shows the page again when it named another team than the one that the app belongs to now', async () => {
  const { browser, page, written } = await setUp()
  const again = await browser.decide(page, { asked: 'former-team openid name' })
  expect(placeOf(again)).toBe('/consent')
  expect(await written()).toEqual([0, 0])
  const back = await browser.decide(again, { asked: 'acme openid name' })
  expect(back.parameters).toHaveProperty('code')
})

describe('a decision of another person', () => {
  it('shows the page again and stores nothing when another tab has switched accounts', async () => {
    const { browser, page, written } = await setUp()
    const session = await browser.shownSession()
    await browser.signIn(await browser.authorize({ prompt: 'login' }), bob)
    const again = await browser.decide(page, { session })
    expect(placeOf(again)).toBe('/consent')
    expect(await written()).toEqual([0, 0])
    const back = await browser.decide(again)
    expect(back.parameters).toHaveProperty('code')
  })

  it.each([
    ['of another browser', async (other: string) => other],
    ['that was made up', async () => 'x'.repeat(22)],
    ['left out', async () => undefined],
  ])('shows the page again for a session %s', async (_, sent) => {
    const { browser, page, written, context } = await setUp()
    const other = openBrowser(context)
    await other.signIn(await other.authorize())
    const again = await browser.decide(page, { session: await sent((await other.shownSession()) as string) })
    expect(placeOf(again)).toBe('/consent')
    expect(await written()).toEqual([0, 0])
  })

  it('asks a person who was signed out to sign in', async () => {
    const { browser, page, written } = await setUp()
    const session = await browser.shownSession()
    await browser.post('/logout/submit', {})
    expect(placeOf(await browser.decide(page, { session }))).toBe('/signin')
    expect(await written()).toEqual([0, 0])
  })
})

it('grants neither a scope that was not requested nor an address by a ticked box', async () => {
  const { browser, prisma } = await setUp()
  const page = await browser.authorize({ scope: 'openid name email' })
  await browser.decide(page, { scope: ['openid', 'name', 'email', 'gender', 'profile', 'x'] })
  expect(await prisma.consent.findMany()).toMatchObject([
    { granted: 'openid name', declined: 'email', emailChoice: 'none' },
  ])
})

describe('a decision without a question', () => {
  it('keeps the stored decision, and gives the answer of the first', async () => {
    const { browser, page, prisma } = await setUp()
    const first = await browser.decide(page)
    const second = await browser.decide(page, { scope: [] })
    expect(second.url.href).toBe(first.url.href)
    expect(await prisma.consent.findMany()).toMatchObject([{ granted: 'openid name', declined: '' }])
  })

  it('shows the page again when the question has changed', async () => {
    const { browser, page, context, personId, written } = await setUp()
    await browser.decide(page)
    const more = await browser.authorize({ scope: 'openid name gender', state: 'more' })
    await context.consents.withdrawConsent(await personId('ada'), 'acme-web', context.now())
    const answer = await browser.decide(more, { asked: 'gender', scope: ['gender'] })
    expect(placeOf(answer)).toBe('/consent')
    expect((await written())[0]).toBe(0)
    expect(placeOf(await browser.decide(answer, { asked: 'acme openid name gender' }))).toBe(callback)
  })

  it('is not stored before the person signs in again', async () => {
    const { browser, written } = await setUp()
    const signIn = await browser.authorize({ prompt: 'login' })
    expect(placeOf(await browser.decide(signIn))).toBe('/signin')
    expect(await written()).toEqual([0, 0])
  })
})

it('does not share an address before one is bound', async () => {
  const { browser, tokens } = await setUp()
  const page = await browser.signIn(await browser.authorize({ prompt: 'login', scope: 'openid email' }), bob)
  const back = await browser.decide(page, { email_choice: 'none' })
  expect((await tokens(back)).scope).toBe('openid')
  const again = await browser.authorize({ prompt: 'consent', scope: 'openid email' })
  expect(placeOf(await browser.decide(again, { email_choice: 'regular' }))).toBe('/bind-email')
})

it.each(['verify', 'skip'])(
  'grants nothing to another team that got the app while the person typed an address (%s)',
  async (end) => {
    const started = await setUp()
    const { context, browser, prisma, written } = started
    const asked = { prompt: 'login', scope: 'openid email' }
    const page = await browser.signIn(await browser.authorize(asked), bob)
    const binding = await browser.decide(page, { scope: ['openid', 'email'], email_choice: 'regular' })
    const form = { request: binding.parameters.request ?? '', session: (await browser.shownSession()) ?? '' }
    await browser.post('/bind-email/submit', { ...form, address: 'bob@moved.example' })
    const code = await codeSentTo(context, 'bob@moved.example')
    await prisma.app.update({ where: { id: 'acme-web' }, data: { teamId: 'other' } })
    // This process has not cached the app.
    const node = await otherNode(started)
    onTestFinished(async () => {
      await node.close()
      await prisma.app.update({ where: { id: 'acme-web' }, data: { teamId: 'acme' } })
      await prisma.person.update({ where: { username: 'bob' }, data: { email: null } })
    })
    const same = openBrowser(node)
    for (const [name, value] of browser.jar) same.jar.set(name, value)
    const again =
      end === 'skip'
        ? await same.post('/bind-email/submit', { ...form, action: 'skip' })
        : await same.post('/bind-email/verify', { ...form, code })
    expect(placeOf(again)).toBe('/consent')
    expect(await written()).toEqual([0, 0])
  },
)

describe('prompt=consent', () => {
  it('asks again, once, and stores the new decision', async () => {
    const { browser, page, tokens } = await setUp()
    await browser.decide(page)
    const again = await browser.authorize({ prompt: 'consent' })
    expect(placeOf(again)).toBe('/consent')
    const back = await browser.decide(again, { scope: [] })
    expect((await tokens(back)).scope).toBe('openid')
  })

  it('ignores a second post of the page, changed or not', async () => {
    const { browser, page, prisma } = await setUp()
    await browser.decide(page)
    const again = await browser.authorize({ prompt: 'consent' })
    const first = await browser.decide(again)
    for (const fields of [{}, { scope: [] }]) {
      expect((await browser.decide(again, fields)).url.href).toBe(first.url.href)
    }
    expect(await prisma.consent.findMany()).toMatchObject([{ granted: 'openid name', declined: '' }])
    expect(await prisma.activity.count({ where: { kind: { startsWith: 'consent' } } })).toBe(1)
  })

  it('asks after the sign-in of prompt=login', async () => {
    const { browser, page } = await setUp()
    await browser.decide(page)
    const consent = await browser.signIn(await browser.authorize({ prompt: 'login consent' }))
    expect(placeOf(consent)).toBe('/consent')
    expect(placeOf(await browser.decide(consent))).toBe(callback)
  })

  it('ignores the progress of another session', async () => {
    const { browser } = await setUp()
    browser.stops.add('/continue')
    const agreed = await browser.decide(await browser.visit((await browser.authorize({ prompt: 'consent' })).url))
    browser.stops.clear()
    await browser.signIn(await browser.authorize({ prompt: 'login' }))
    expect(placeOf(await browser.visit(agreed.url))).toBe('/consent')
  })
})

describe('a form from another site', () => {
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3001' },
    { origin: 'https://evil.example' },
    { origin: 'http://localhost:3000' },
    { origin: 'http://localhost:3001.evil.example' },
  ]
  it.each(foreign)('is rejected with %j at consent, sign-in and sign-out', async (headers) => {
    const { browser, page, written } = await setUp()
    const before = browser.jar.get('postern-session')
    for (const answer of [
      await browser.decide(page, {}, headers),
      await browser.signIn(page, bob, headers),
      await browser.post('/logout/submit', {}, headers),
    ]) {
      expect(placeOf(answer)).toBe('/error')
      expect(await browser.problemOn(answer)).toEqual({ kind: 'not_from_here' })
    }
    expect(await written()).toEqual([0, 0])
    expect(browser.jar.get('postern-session')).toBe(before)
    expect(await browser.shownSession()).toBeDefined()
  })

  const ours: Record<string, string>[] = [
    { 'sec-fetch-site': 'same-origin', origin: 'null' },
    { origin: 'http://localhost:3001' },
    { origin: 'null' },
    {},
  ]
  it.each(ours)('is accepted with %j when its token is valid', async (headers) => {
    const { browser, page } = await setUp()
    expect(placeOf(await browser.decide(page, {}, headers))).toBe(callback)
  })

  it.each(['text/plain', 'multipart/form-data; boundary=x', 'application/json', ''])(
    'is rejected with the content type %j',
    async (type) => {
      const { browser, page, written } = await setUp()
      const answer = await browser.decide(page, {}, { 'content-type': type })
      expect(await browser.problemOn(answer)).toEqual({ kind: 'not_from_here' })
      expect(await written()).toEqual([0, 0])
    },
  )
})
