import { describe, expect, test } from 'vitest'
import { readFlash } from '#lib/http/flash'
import { placeOf, shareJourney } from '#lib/testing/browser/journey'
import { share, wanted } from '#lib/testing/browser/share'
import { basicAuth, callback, secret } from '#lib/testing/process/postern'

const start = shareJourney()
const bob = { username: 'bob', password: 'staple horse battery' }

const setUp = async () => share(await start())

describe('the list', () => {
  test('names each app with team, scopes, beginning and last use', async () => {
    const { connections, later, refresh, clock } = await setUp()
    const since = clock.now
    expect(await connections()).toEqual([
      {
        app: { id: 'acme-web', name: 'Acme Web', team: 'Acme', logoFile: undefined, homepage: '', disabled: false },
        consent: { granted: ['openid', 'name', 'nickname', 'email'], declined: [], emailChoice: 'regular' },
        since,
        lastUsed: since,
      },
    ])
    later(60)
    await refresh()
    expect((await connections())[0]).toMatchObject({ since, lastUsed: clock.now })
  })

  test('is of nobody else', async () => {
    const { context, personId } = await setUp()
    expect(await context.connections.listConnections(await personId('bob'))).toEqual([])
    expect(await context.connections.findConnection(await personId('bob'), 'acme-web')).toBeUndefined()
  })
})

describe('taking one thing back', () => {
  test('ends at once every token that may see it; the app comes back for the rest without a question', async () => {
    const { change, userinfo, refresh, introspect, held, told, browser, tokens } = await setUp()
    expect(placeOf(await change({ scope: ['name'] }))).toBe('/account/apps/acme-web')
    expect((await userinfo(held.access_token)).status).toBe(401)
    expect(await refresh()).toMatchObject({ error: 'invalid_grant' })
    expect(await (await introspect({ token: held.access_token })).json()).toEqual({ active: false })
    const back = await tokens(await browser.authorize({ ...wanted, state: 'later' }))
    const seen = await (await userinfo(back.access_token)).json()
    expect(seen).toMatchObject({ name: 'Ada L.', nickname: 'Postern User', email: 'ada@example.org' })
    expect(await told()).toEqual([
      { kind: 'consent_given', app: 'Acme Web', scopes: 'openid name nickname email', email: 'regular' },
      { kind: 'consent_narrowed', app: 'Acme Web', scopes: 'nickname', email: 'regular' },
    ])
  })

  test('leaves tokens alone that never saw it', async () => {
    const { change, browser, tokens, userinfo, token } = await setUp()
    const less = await tokens(await browser.authorize({ scope: 'openid name', state: 'less' }))
    await change({ scope: ['name'] })
    expect(await (await userinfo(less.access_token)).json()).toMatchObject({ name: 'Ada L.' })
    const again = await token({ grant_type: 'refresh_token', refresh_token: less.refresh_token })
    expect(await again.json()).toMatchObject({ scope: 'openid name' })
  })

  test('ends a code that was not exchanged yet', async () => {
    const { change, browser, exchange } = await setUp()
    const back = await browser.authorize({ ...wanted, state: 'later' })
    await change({ scope: ['name'] })
    expect((await exchange(back)).status).toBe(400)
  })

  test('is remembered: the app is not asked about again, and does not get it', async () => {
    const { change, browser, tokens } = await setUp()
    await change({ scope: ['name'] })
    const back = await browser.authorize({ ...wanted, state: 'later' })
    expect(placeOf(back)).toBe(callback)
    expect((await tokens(back)).scope).toBe('openid name email')
  })

  test('can be undone: the app gets it with the next sign-in, not before', async () => {
    const { change, browser, tokens, userinfo, held } = await setUp()
    await change({ scope: [] })
    await change({ scope: ['name', 'nickname'] })
    expect((await userinfo(held.access_token)).status).toBe(401)
    expect((await tokens(await browser.authorize({ ...wanted, state: 'later' }))).scope).toBe(wanted.scope)
  })

  test('twice acts once', async () => {
    const { change, told } = await setUp()
    await Promise.all([change({ scope: ['name'] }), change({ scope: ['name'] })])
    expect((await told()).map(({ kind }) => kind)).toEqual(['consent_given', 'consent_narrowed'])
  })

  test('cannot give what was never asked for', async () => {
    const { change, prisma } = await setUp()
    await change({ scope: ['name', 'nickname', 'gender', 'profile'] })
    expect(await prisma.consent.findMany()).toMatchObject([{ granted: 'openid name nickname email', declined: '' }])
  })
})

describe('the address', () => {
  test('can be hidden and shown again; the hidden one stays the same', async () => {
    const { change, learn } = await setUp()
    await change({ email_choice: 'hidden' })
    const { email } = await learn()
    expect(email).toMatch(/^[a-z][a-z2-9]{11}@relay\.localhost$/)
    await change({ email_choice: 'regular' })
    expect((await learn()).email).toBe('ada@example.org')
    await change({ email_choice: 'hidden' })
    expect((await learn()).email).toBe(email)
  })

  test('can be taken back where the app can do without, and only hidden where it cannot', async () => {
    const { change, userinfo, held, browser, prisma } = await setUp()
    await change({ email_choice: 'none' })
    expect((await userinfo(held.access_token)).status).toBe(401)
    await browser.decide(await browser.authorize({ ...wanted, client_id: 'acme-mail' }), { email_choice: 'regular' })
    for (const [choice, kept] of [
      ['none', 'regular'],
      ['hidden', 'hidden'],
    ]) {
      await change({ app: 'acme-mail', scope: [], email_choice: choice })
      expect(await prisma.consent.findFirst({ where: { appId: 'acme-mail' } })).toMatchObject({ emailChoice: kept })
    }
  })

  test('cannot be given by who has none', async () => {
    const { browser, prisma } = await start()
    const page = await browser.signIn(await browser.authorize(wanted), bob)
    await browser.decide(page, { email_choice: 'none' })
    const form = { app: 'acme-web', session: await browser.shownSession(), email_choice: 'hidden' }
    expect(placeOf(await browser.post('/account/sharing/change', form))).toBe('/account/apps/acme-web')
    expect(await prisma.consent.findMany()).toMatchObject([{ declined: 'nickname email', emailChoice: 'none' }])
    expect(await prisma.alias.count()).toBe(0)
  })
})

describe('a page left open', () => {
  test('does not give again what another tab took back: it is shown anew', async () => {
    const { change, markFor, prisma, context, browser } = await setUp()
    const shown = await markFor('acme-web')
    await change({ scope: ['name'] })
    const arrival = await change({ shown, scope: ['nickname'] })
    expect(placeOf(arrival)).toBe('/account/apps/acme-web')
    const flash = await readFlash(context, browser.cookies(), 'connected-apps')
    expect(flash?.problems).toEqual([{ code: 'meanwhile' }])
    expect(await prisma.consent.findMany()).toMatchObject([{ granted: 'openid name email', declined: 'nickname' }])
  })
})

describe('stopping to share', () => {
  test('ends every token of the pair at once and forgets the decision; the app is asked about anew', async () => {
    const { withdraw, held, userinfo, refresh, introspect, told, connections, browser } = await setUp()
    expect(placeOf(await withdraw())).toBe('/account/apps')
    expect((await userinfo(held.access_token)).status).toBe(401)
    expect(await refresh()).toMatchObject({ error: 'invalid_grant' })
    expect(await (await introspect({ token: held.access_token })).json()).toEqual({ active: false })
    expect(await connections()).toEqual([])
    expect((await told()).at(-1)).toEqual({ kind: 'consent_withdrawn', app: 'Acme Web' })
    expect(placeOf(await browser.authorize({ ...wanted, state: 'later' }))).toBe('/consent')
  })

  test('ends a code that was not exchanged yet', async () => {
    const { withdraw, browser, exchange } = await setUp()
    const back = await browser.authorize({ ...wanted, state: 'later' })
    await withdraw()
    expect((await exchange(back)).status).toBe(400)
  })

  test('leaves the identifier and the hidden address as they were, for who comes back', async () => {
    const { change, withdraw, learn, browser, tokens, userinfo } = await setUp()
    await change({ email_choice: 'hidden' })
    const before = await learn()
    await withdraw()
    const page = await browser.authorize({ ...wanted, state: 'later' })
    const held = await tokens(await browser.decide(page, { scope: ['name', 'nickname'], email_choice: 'hidden' }))
    const after = await (await userinfo(held.access_token)).json()
    expect([after.sub, after.email]).toEqual([before.sub, before.email])
  })

  test('touches no other app and no other person, and says the same twice', async () => {
    const { withdraw, browser, prisma, told, held, userinfo } = await setUp()
    await browser.decide(await browser.authorize({ ...wanted, client_id: 'other-web' }), { email_choice: 'none' })
    await withdraw({ app: 'other-web' })
    expect((await userinfo(held.access_token)).status).toBe(200)
    const answers = [await withdraw(), await withdraw(), await withdraw({ app: 'nobody' })]
    expect(answers.map(placeOf)).toEqual(Array(3).fill('/account/apps'))
    expect(await prisma.consent.count()).toBe(0)
    expect((await told()).filter(({ kind }) => kind === 'consent_withdrawn')).toHaveLength(2)
  })

  test('and then changing what it may see changes nothing', async () => {
    const { withdraw, change, prisma } = await setUp()
    await withdraw()
    expect(placeOf(await change())).toBe('/account/apps')
    expect(await prisma.consent.count()).toBe(0)
  })
})

describe('neither happens', () => {
  test('when another tab signed in as somebody else', async () => {
    const { withdraw, change, browser, prisma } = await setUp()
    await browser.signIn(await browser.authorize({ prompt: 'login' }), bob)
    for (const answer of [await withdraw(), await change({ scope: [] })]) expect(placeOf(answer)).toBe('/account/apps')
    expect(await prisma.consent.findMany()).toMatchObject([{ granted: 'openid name nickname email' }])
  })

  test('for a form of another site, or of nobody', async () => {
    const { browser, session, prisma } = await setUp()
    const foreign = { 'sec-fetch-site': 'cross-site' }
    for (const path of ['/account/sharing/withdraw', '/account/sharing/change']) {
      expect(placeOf(await browser.post(path, { app: 'acme-web', session }, foreign))).toBe('/error')
    }
    browser.jar.delete('postern-session')
    expect(placeOf(await browser.post('/account/sharing/withdraw', { app: 'acme-web', session }))).toBe('/signin')
    expect(await prisma.consent.count()).toBe(1)
  })
})

test('signing in again as oneself in another tab does not stand in the way', async () => {
  const { change, browser, prisma } = await setUp()
  await browser.signIn(await browser.authorize({ prompt: 'login' }))
  await change({ scope: [] })
  expect(await prisma.consent.findMany()).toMatchObject([{ granted: 'openid email' }])
})

test('the tokens of another team are not touched', async () => {
  const { withdraw, browser, token, userinfo } = await setUp()
  const back = await browser.decide(await browser.authorize({ ...wanted, client_id: 'other-web' }), {
    scope: ['name'],
    email_choice: 'hidden',
  })
  const exchange = { grant_type: 'authorization_code', redirect_uri: callback, code_verifier: 'v'.repeat(43) }
  const held = await (
    await token({ ...exchange, code: back.parameters.code as string }, basicAuth('other-web', secret))
  ).json()
  await withdraw()
  expect((await userinfo(held.access_token)).status).toBe(200)
})
