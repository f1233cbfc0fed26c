import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { openBrowser } from '#lib/testing/browser/browser'
import { flowProvision, placeOf, shareFlow, startFlow } from '#lib/testing/browser/flow'
import { kinds } from '#lib/testing/databases/databases'
import { callback } from '#lib/testing/process/postern'
import { sharePostern } from '#lib/testing/process/share-postern'

const start = shareFlow()
const wanted = { scope: 'openid name email' }
const relay = /^[a-hjkmnp-z][2-9a-hjkmnp-z]{11}@relay\.localhost$/

/** Signs ada in to an app that asks for an address; returns steps to answer, and to read what the app learns. */
async function setUp() {
  const started = await start()
  const { browser, tokens, userinfo, prisma } = started
  const page = await browser.signIn(await browser.authorize(wanted))
  const answer = async (choice: string, at = page) => tokens(await browser.decide(at, { email_choice: choice }))
  const learn = async (accessToken: string) => (await userinfo(accessToken)).json()
  const again = async (choice: string) =>
    answer(choice, await browser.authorize({ ...wanted, prompt: 'consent', state: `again ${choice}` }))
  const setEmail = (email: string | null) => prisma.person.update({ where: { username: 'ada' }, data: { email } })
  return { ...started, page, answer, again, learn, setEmail }
}

it('gives the app a verified relay address of its own when the person hides theirs', async () => {
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

it('keeps the relay address through a new consent, and through the regular address and back', async () => {
  const { answer, again, learn, prisma } = await setUp()
  const first = await answer('hidden')
  const { email } = await learn(first.access_token)
  const regular = await again('regular')
  expect((await learn(regular.access_token)).email).toBe('ada@example.org')
  const back = await again('hidden')
  expect((await learn(back.access_token)).email).toBe(email)
  expect(await prisma.alias.count()).toBe(1)
})

it('hides the address from earlier tokens too, and revokes them when the person refuses it', async () => {
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

it('gives another app another relay address, also when that app requires an address', async () => {
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

it('returns no address while the person has none, and the same relay address afterwards', async () => {
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

describe('a person without an address who chooses how to share one', () => {
  const bob = { username: 'bob', password: 'staple horse battery' }

  it.each(['regular', 'hidden'] as const)(
    'binds an address first, then stores the %s choice without asking again',
    async (choice) => {
      const { browser, prisma, tokens, userinfo } = await start()
      const page = await browser.signIn(await browser.authorize(wanted), bob)
      const binding = await browser.decide(page, { email_choice: choice })
      expect(placeOf(binding)).toBe('/bind-email')
      // Nothing is shared before the whole decision can be stored.
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

  it('is asked again next time when no address was bound', async () => {
    const { browser } = await start()
    const page = await browser.signIn(await browser.authorize(wanted), bob)
    await browser.decide(page, { email_choice: 'hidden' })
    expect(placeOf(await browser.authorize({ ...wanted, state: 'later' }))).toBe('/consent')
  })
})

describe.each(kinds)('concurrent requests on %s', (kind) => {
  const postern = sharePostern({ kind, provision: flowProvision })

  it('makes one relay address and one code for eight tabs', async () => {
    const { browser, prisma } = startFlow(postern)
    const page = await browser.signIn(await browser.authorize(wanted))
    const answers = await Promise.all(Array.from({ length: 8 }, () => browser.decide(page, { email_choice: 'hidden' })))
    expect(new Set(answers.map(({ url }) => url.href)).size).toBe(1)
    expect([await prisma.alias.count(), await prisma.consent.count()]).toEqual([1, 1])
    expect((await prisma.activity.findMany({ where: { kind: 'consent_given' } })).length).toBe(1)
  })

  it('makes one relay address for eight requests of eight browsers', async () => {
    const { context, prisma } = startFlow(postern)
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

it('shows the hidden address in nothing that an app sees, and in no URL of the flow', async () => {
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
