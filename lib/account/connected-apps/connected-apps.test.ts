import { describe, expect, it } from 'vitest'
import { readFlash } from '#lib/http/flash'
import { placeOf, shareFlow } from '#lib/testing/browser/flow'
import { share, wanted } from '#lib/testing/browser/share'
import { basicAuth, callback, secret } from '#lib/testing/process/postern'

const start = shareFlow()
const bob = { username: 'bob', password: 'staple horse battery' }

const setUp = async () => share(await start())

describe('the list of connected apps', () => {
  it('contains each app with team, scopes, start and last use', async () => {
    const { connections, later, refresh, clock } = await setUp()
    const since = clock.now
    expect(await connections()).toEqual([
      {
        app: {
          id: 'acme-web',
          name: 'Acme Web',
          team: 'Acme',
          names: {},
          logoFile: undefined,
          homepage: '',
          disabled: false,
        },
        consent: { granted: ['openid', 'name', 'nickname', 'email'], declined: [], emailChoice: 'regular' },
        since,
        lastUsed: since,
      },
    ])
    later(60)
    await refresh()
    expect((await connections())[0]).toMatchObject({ since, lastUsed: clock.now })
  })

  it('does not contain apps of other people', async () => {
    const { context, personId } = await setUp()
    expect(await context.connections.listConnections(await personId('bob'))).toEqual([])
    expect(await context.connections.findConnection(await personId('bob'), 'acme-web')).toBeUndefined()
  })
})

describe('withdrawing one scope', () => {
  it('revokes every token that has the scope; the app gets the other scopes without a new consent', async () => {
    const { change, userinfo, refresh, introspect, held, recorded, browser, tokens } = await setUp()
    expect(placeOf(await change({ scope: ['name'] }))).toBe('/account/apps/acme-web')
    expect((await userinfo(held.access_token)).status).toBe(401)
    expect(await refresh()).toMatchObject({ error: 'invalid_grant' })
    expect(await (await introspect({ token: held.access_token })).json()).toEqual({ active: false })
    const back = await tokens(await browser.authorize({ ...wanted, state: 'later' }))
    const seen = await (await userinfo(back.access_token)).json()
    expect(seen).toMatchObject({ name: 'Ada L.', nickname: 'Postern User', email: 'ada@example.org' })
    expect(await recorded()).toEqual([
      { kind: 'consent_given', app: 'Acme Web', scopes: 'openid name nickname email', email: 'regular' },
      { kind: 'consent_narrowed', app: 'Acme Web', scopes: 'nickname', email: 'regular' },
    ])
  })

  it('keeps tokens that do not have the scope', async () => {
    const { change, browser, tokens, userinfo, token } = await setUp()
    const less = await tokens(await browser.authorize({ scope: 'openid name', state: 'less' }))
    await change({ scope: ['name'] })
    expect(await (await userinfo(less.access_token)).json()).toMatchObject({ name: 'Ada L.' })
    const again = await token({ grant_type: 'refresh_token', refresh_token: less.refresh_token })
    expect(await again.json()).toMatchObject({ scope: 'openid name' })
  })

  it('revokes a code that was not exchanged yet', async () => {
    const { change, browser, exchange } = await setUp()
    const back = await browser.authorize({ ...wanted, state: 'later' })
    await change({ scope: ['name'] })
    expect((await exchange(back)).status).toBe(400)
  })

  it('is remembered: the next request does not ask for it and does not grant it', async () => {
    const { change, browser, tokens } = await setUp()
    await change({ scope: ['name'] })
    const back = await browser.authorize({ ...wanted, state: 'later' })
    expect(placeOf(back)).toBe(callback)
    expect((await tokens(back)).scope).toBe('openid name email')
  })

  it('can be undone: the app gets it at its next sign-in, not before', async () => {
    const { change, browser, tokens, userinfo, held } = await setUp()
    await change({ scope: [] })
    await change({ scope: ['name', 'nickname'] })
    expect((await userinfo(held.access_token)).status).toBe(401)
    expect((await tokens(await browser.authorize({ ...wanted, state: 'later' }))).scope).toBe(wanted.scope)
  })

  it('is recorded beside a change of the address in the same form', async () => {
    const { change, recorded } = await setUp()
    await change({ scope: ['name'], email_choice: 'hidden' })
    await change({ scope: ['name', 'nickname'], email_choice: 'regular' })
    const [, ...kinds] = (await recorded()).map(({ kind }) => kind)
    expect(kinds).toEqual(['consent_narrowed', 'address_hidden', 'consent_given', 'address_shared'])
  })

  it('is recorded once on a double submit', async () => {
    const { change, recorded } = await setUp()
    await Promise.all([change({ scope: ['name'] }), change({ scope: ['name'] })])
    expect((await recorded()).map(({ kind }) => kind)).toEqual(['consent_given', 'consent_narrowed'])
  })

  it('grants no scope that was never asked for', async () => {
    const { change, prisma } = await setUp()
    await change({ scope: ['name', 'nickname', 'gender', 'profile'] })
    expect(await prisma.consent.findMany()).toMatchObject([{ granted: 'openid name nickname email', declined: '' }])
  })
})

describe('the address choice', () => {
  it('switches between hidden and regular; the hidden address stays the same', async () => {
    const { change, learn } = await setUp()
    await change({ email_choice: 'hidden' })
    const { email } = await learn()
    expect(email).toMatch(/^[a-z][a-z2-9]{11}@relay\.localhost$/)
    await change({ email_choice: 'regular' })
    expect((await learn()).email).toBe('ada@example.org')
    await change({ email_choice: 'hidden' })
    expect((await learn()).email).toBe(email)
  })

  it('can be withdrawn where it is optional, and only hidden where it is required', async () => {
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

  it('is rejected for a person without an address', async () => {
    const { browser, prisma } = await start()
    const page = await browser.signIn(await browser.authorize(wanted), bob)
    await browser.decide(page, { email_choice: 'none' })
    const form = { app: 'acme-web', session: await browser.shownSession(), email_choice: 'hidden' }
    expect(placeOf(await browser.post('/account/sharing/change', form))).toBe('/account/apps/acme-web')
    expect(await prisma.consent.findMany()).toMatchObject([{ declined: 'nickname email', emailChoice: 'none' }])
    expect(await prisma.alias.count()).toBe(0)
  })
})

describe('a stale page', () => {
  it('does not grant again what another tab withdrew', async () => {
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

describe('withdrawing the consent', () => {
  it('revokes every token of the person for the app and deletes the decision; the app must ask again', async () => {
    const { withdraw, held, userinfo, refresh, introspect, recorded, connections, browser } = await setUp()
    expect(placeOf(await withdraw())).toBe('/account/apps')
    expect((await userinfo(held.access_token)).status).toBe(401)
    expect(await refresh()).toMatchObject({ error: 'invalid_grant' })
    expect(await (await introspect({ token: held.access_token })).json()).toEqual({ active: false })
    expect(await connections()).toEqual([])
    expect((await recorded()).at(-1)).toEqual({ kind: 'consent_withdrawn', app: 'Acme Web' })
    expect(placeOf(await browser.authorize({ ...wanted, state: 'later' }))).toBe('/consent')
  })

  it('revokes a code that was not exchanged yet', async () => {
    const { withdraw, browser, exchange } = await setUp()
    const back = await browser.authorize({ ...wanted, state: 'later' })
    await withdraw()
    expect((await exchange(back)).status).toBe(400)
  })

  it('keeps the identifier and the hidden address for a later consent', async () => {
    const { change, withdraw, learn, browser, tokens, userinfo } = await setUp()
    await change({ email_choice: 'hidden' })
    const before = await learn()
    await withdraw()
    const page = await browser.authorize({ ...wanted, state: 'later' })
    const held = await tokens(await browser.decide(page, { scope: ['name', 'nickname'], email_choice: 'hidden' }))
    const after = await (await userinfo(held.access_token)).json()
    expect([after.sub, after.email]).toEqual([before.sub, before.email])
  })

  it('affects no other app and no other person, and shows the same result twice', async () => {
    const { withdraw, browser, prisma, recorded, held, userinfo } = await setUp()
    await browser.decide(await browser.authorize({ ...wanted, client_id: 'other-web' }), { email_choice: 'none' })
    await withdraw({ app: 'other-web' })
    expect((await userinfo(held.access_token)).status).toBe(200)
    const answers = [await withdraw(), await withdraw(), await withdraw({ app: 'nobody' })]
    expect(answers.map(placeOf)).toEqual(Array(3).fill('/account/apps'))
    expect(await prisma.consent.count()).toBe(0)
    expect((await recorded()).filter(({ kind }) => kind === 'consent_withdrawn')).toHaveLength(2)
  })

  it('ignores a later change of scopes', async () => {
    const { withdraw, change, prisma } = await setUp()
    await withdraw()
    expect(placeOf(await change())).toBe('/account/apps')
    expect(await prisma.consent.count()).toBe(0)
  })
})

describe('a form about a connected app', () => {
  it('is rejected when another tab has switched accounts', async () => {
    const { withdraw, change, browser, prisma } = await setUp()
    await browser.signIn(await browser.authorize({ prompt: 'login' }), bob)
    for (const answer of [await withdraw(), await change({ scope: [] })]) expect(placeOf(answer)).toBe('/account/apps')
    expect(await prisma.consent.findMany()).toMatchObject([{ granted: 'openid name nickname email' }])
  })

  it('is rejected when it is posted from another site or without a session', async () => {
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

it('accepts the form after the same person signed in again in another tab', async () => {
  const { change, browser, prisma } = await setUp()
  await browser.signIn(await browser.authorize({ prompt: 'login' }))
  await change({ scope: [] })
  expect(await prisma.consent.findMany()).toMatchObject([{ granted: 'openid email' }])
})

it('keeps the tokens of another team', async () => {
  const { withdraw, browser, token, userinfo } = await setUp()
  const back = await browser.decide(await browser.authorize({ ...wanted, client_id: 'other-web' }), {
    scope: ['name'],
    email_choice: 'hidden',
  })
  const exchange = { grant_type: 'authorization_code', redirect_uri: callback, code_verifier: 'v'.repeat(43) }
  const answer = await token({ ...exchange, code: back.parameters.code as string }, basicAuth('other-web', secret))
  const held = await answer.json()
  await withdraw()
  expect((await userinfo(held.access_token)).status).toBe(200)
})
