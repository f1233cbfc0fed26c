import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { openBrowser } from '#lib/testing/browser/browser'
import { journeys, placeOf, shareJourney, travel } from '#lib/testing/browser/journey'
import { kinds } from '#lib/testing/process/databases'
import { callback } from '#lib/testing/process/postern'
import { sharePostern } from '#lib/testing/process/share-postern'

const start = shareJourney()
const wanted = { scope: 'openid name email' }
const relay = /^[a-hjkmnp-z][2-9a-hjkmnp-z]{11}@relay\.localhost$/

/** Somebody who signed in and is asked for an address, and what the app learns of their answer. */
async function setUp() {
  const travelling = await start()
  const { browser, tokens, userinfo, prisma } = travelling
  const page = await browser.signIn(await browser.authorize(wanted))
  const answer = async (choice: string, at = page) => tokens(await browser.decide(at, { email_choice: choice }))
  const learn = async (accessToken: string) => (await userinfo(accessToken)).json()
  const again = async (choice: string) =>
    answer(choice, await browser.authorize({ ...wanted, prompt: 'consent', state: `again ${choice}` }))
  const setEmail = (email: string | null) => prisma.person.update({ where: { username: 'ada' }, data: { email } })
  return { ...travelling, page, answer, again, learn, setEmail }
}

test('who hides the address gives one made for this app, verified and working', async () => {
  const { answer, learn, prisma, personId } = await setUp()
  const { access_token, scope } = await answer('hidden')
  expect(scope).toBe('openid name email')
  const { email, email_verified } = await learn(access_token)
  expect(email).toMatch(relay)
  expect(email_verified).toBe(true)
  const rows = await prisma.alias.findMany()
  expect(rows).toMatchObject([{ appId: 'acme-web', personId: await personId('ada'), disabledAt: null }])
  expect(`${rows[0]?.address}@relay.localhost`).toBe(email)
})

test('the address stays the same over agreeing again, and over the regular one and back', async () => {
  const { answer, again, learn, prisma } = await setUp()
  const first = await answer('hidden')
  const { email } = await learn(first.access_token)
  const regular = await again('regular')
  expect((await learn(regular.access_token)).email).toBe('ada@example.org')
  const back = await again('hidden')
  expect((await learn(back.access_token)).email).toBe(email)
  expect(await prisma.alias.count()).toBe(1)
})

test('hiding it later hides it from the tokens of before too, and refusing it ends them', async () => {
  const { answer, again, learn, refresh, userinfo } = await withRefresh(await setUp())
  const regular = await answer('regular')
  const hidden = await again('hidden')
  const { email } = await learn(hidden.access_token)
  expect((await learn(regular.access_token)).email).toBe(email)
  const none = await again('none')
  expect(await learn(none.access_token)).not.toHaveProperty('email')
  for (const { access_token, refresh_token } of [regular, hidden]) {
    expect((await userinfo(access_token)).status).toBe(401)
    expect(await refresh(refresh_token)).toMatchObject({ error: 'invalid_grant' })
  }
})

async function withRefresh(journey: Awaited<ReturnType<typeof setUp>>) {
  const refresh = async (token: string) =>
    (await journey.token({ grant_type: 'refresh_token', refresh_token: token })).json()
  return { ...journey, refresh }
}

test('another app gets another address, and an app that needs one may be given a hidden one', async () => {
  const { answer, learn, browser, prisma } = await setUp()
  const { email } = await learn((await answer('hidden')).access_token)
  const page = await browser.authorize({ ...wanted, client_id: 'acme-mail' })
  const back = await browser.decide(page, { email_choice: 'hidden' })
  expect(back.parameters).toHaveProperty('code')
  const rows = await prisma.alias.findMany({ orderBy: { appId: 'asc' } })
  expect(rows.map(({ appId }) => appId)).toEqual(['acme-mail', 'acme-web'])
  expect(`${rows[0]?.address}@relay.localhost`).not.toBe(email)
  expect(await prisma.consent.findFirst({ where: { appId: 'acme-mail' } })).toMatchObject({ emailChoice: 'hidden' })
})

test('without a bound address neither is an inbox, and none is returned until there is one again', async () => {
  const { answer, learn, setEmail } = await setUp()
  const { access_token } = await answer('hidden')
  const { email } = await learn(access_token)
  await setEmail(null)
  const without = await learn(access_token)
  await setEmail('ada@example.org')
  expect(without).not.toHaveProperty('email')
  expect(without).not.toHaveProperty('email_verified')
  expect((await learn(access_token)).email).toBe(email)
})

describe('who has no address and chooses how to give one', () => {
  const bob = { username: 'bob', password: 'staple horse battery' }

  test.each(['regular', 'hidden'] as const)(
    'binds it first, then the %s choice is kept without asking again',
    async (choice) => {
      const { browser, prisma, tokens, userinfo } = await start()
      const page = await browser.signIn(await browser.authorize(wanted), bob)
      const binding = await browser.decide(page, { email_choice: choice })
      expect(placeOf(binding)).toBe('/bind-email')
      // Nothing is shared before the whole decision can be kept.
      expect(await prisma.consent.count()).toBe(0)
      await prisma.person.update({ where: { username: 'bob' }, data: { email: 'bob@example.org' } })
      const back = await browser.visit(`/continue?request=${binding.parameters.request}`)
      await prisma.person.update({ where: { username: 'bob' }, data: { email: null } })
      expect(placeOf(back)).toBe(callback)
      const { access_token, scope } = await tokens(back)
      expect(scope).toBe('openid name email')
      await prisma.person.update({ where: { username: 'bob' }, data: { email: 'bob@example.org' } })
      const { email } = await (await userinfo(access_token)).json()
      await prisma.person.update({ where: { username: 'bob' }, data: { email: null } })
      expect(email).toEqual(choice === 'regular' ? 'bob@example.org' : expect.stringMatching(relay))
    },
  )

  test('is asked again next time when nothing came of it', async () => {
    const { browser } = await start()
    const page = await browser.signIn(await browser.authorize(wanted), bob)
    await browser.decide(page, { email_choice: 'hidden' })
    expect(placeOf(await browser.authorize({ ...wanted, state: 'later' }))).toBe('/consent')
  })
})

describe.each(kinds)('at the same moment on %s', (kind) => {
  const postern = sharePostern({ kind, provision: journeys })

  test('eight tabs that hide the address make one, and arrive at one code', async () => {
    const { browser, prisma } = travel(postern)
    const page = await browser.signIn(await browser.authorize(wanted))
    const answers = await Promise.all(Array.from({ length: 8 }, () => browser.decide(page, { email_choice: 'hidden' })))
    expect(new Set(answers.map(({ url }) => url.href)).size).toBe(1)
    expect([await prisma.alias.count(), await prisma.consent.count()]).toEqual([1, 1])
    expect((await prisma.activity.findMany({ where: { kind: 'consent_given' } })).length).toBe(1)
  })

  test('eight requests of eight browsers that hide it make one address', async () => {
    const { context, prisma } = travel(postern)
    const pages = await Promise.all(
      Array.from({ length: 8 }, async (_, one) => {
        const browser = openBrowser(context, `192.0.2.${one + 10}`)
        const asked = { ...wanted, client_id: 'other-web' }
        return { browser, page: await browser.signIn(await browser.authorize(asked)) }
      }),
    )
    const answers = await Promise.all(
      pages.map(({ browser, page }) => browser.decide(page, { email_choice: 'hidden' })),
    )
    expect(answers.map(placeOf)).toEqual(Array(8).fill(callback))
    expect(await prisma.alias.count({ where: { appId: 'other-web' } })).toBe(1)
  })
})

test('the real address of who hid it is in nothing an app can see, and in no address on the way', async () => {
  const { browser, page, tokens, userinfo, introspect, context, prisma } = await setUp()
  const back = await browser.decide(page, { email_choice: 'hidden' })
  const answer = await tokens(back)
  const seen = [
    ...[page, back].flatMap(({ url, cookieLines }) => [url.href, ...cookieLines]),
    answer,
    decodeJwt(answer.id_token),
    decodeJwt(answer.access_token),
    await (await userinfo(answer.access_token)).json(),
    await (await introspect({ token: answer.access_token })).json(),
    await (await introspect({ token: answer.refresh_token })).json(),
    await prisma.alias.findMany(),
    await prisma.failure.findMany(),
    await prisma.authorization.findMany(),
    await prisma.activity.findMany(),
    await context.metrics.registry.metrics(),
  ].map((one) => JSON.stringify(one))
  for (const one of seen) expect(one).not.toMatch(/ada.{0,3}example\.org/i)
  expect(seen.join()).toContain('@relay.localhost')
})
