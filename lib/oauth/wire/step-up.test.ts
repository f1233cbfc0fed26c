import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { placeOf, shareFlow } from '#lib/testing/browser/flow'
import { giveTotp } from '#lib/testing/browser/people'
import { ask } from '#lib/testing/oauth/authorize'

const start = shareFlow()

async function setUp() {
  const started = await start()
  const { browser, prisma, personId, context } = started
  await prisma.totp.deleteMany()
  const arrived = await browser.decide(await browser.signIn(await browser.authorize()))
  const person = await personId('ada')
  const again = (asked: Record<string, string>) => browser.authorize(asked)
  const addFactor = () => giveTotp(context, person)
  const enterCode = ({ parameters: { request } }: { parameters: Record<string, string> }, code: string) =>
    browser.post('/two-factor/submit', { request: request as string, code })
  return { ...started, arrived, again, addFactor, enterCode }
}
const inSeconds = (time: Date) => Math.floor(time.getTime() / 1000)

describe('an access token (RFC 9470 §6.1: acr and auth_time of RFC 9068 §2.2.1)', () => {
  it('carries the class and the time of the sign-in', async () => {
    const { arrived, tokens, clock } = await setUp()
    const { access_token } = await tokens(arrived)
    expect(decodeJwt(access_token)).toMatchObject({ acr: 'aal1', auth_time: inSeconds(clock.now) })
  })

  it('keeps both after a refresh, because a refresh is no sign-in (RFC 9068 §2.2.1)', async () => {
    const { arrived, tokens, token, later } = await setUp()
    const first = await tokens(arrived)
    later(600)
    const refreshed = await token({ grant_type: 'refresh_token', refresh_token: first.refresh_token })
    const { acr, auth_time } = decodeJwt(first.access_token)
    expect(decodeJwt((await refreshed.json()).access_token)).toMatchObject({ acr, auth_time })
  })

  it('is introspected with both (RFC 9470 §6.2)', async () => {
    const { arrived, tokens, introspect, clock } = await setUp()
    const { access_token, refresh_token } = await tokens(arrived)
    const described = await (await introspect({ token: access_token })).json()
    expect(described).toMatchObject({ active: true, acr: 'aal1', auth_time: inSeconds(clock.now) })
    expect(await (await introspect({ token: refresh_token })).json()).not.toHaveProperty('acr')
  })
})

describe('a request with acr_values (RFC 9470 §5, OpenID Connect Core §3.1.2.1)', () => {
  it('asks a person with a second factor to sign in again, and reaches the preferred class', async () => {
    const { again, addFactor, enterCode, browser, tokens, later, clock } = await setUp()
    const show = await addFactor()
    later(60)
    const page = await again({ acr_values: 'aal2' })
    expect(placeOf(page)).toBe('/signin')
    const asked = await browser.signIn(page)
    expect(placeOf(asked)).toBe('/two-factor')
    const { access_token, id_token } = await tokens(await enterCode(asked, await show()))
    expect(decodeJwt(access_token)).toMatchObject({ acr: 'aal2', auth_time: inSeconds(clock.now) })
    expect(decodeJwt(id_token)).toMatchObject({ acr: 'aal2' })
    const { acr } = decodeJwt((await tokens(await again({ acr_values: 'aal2' }))).access_token)
    expect(acr).toBe('aal2')
  })

  it.each([
    ['aal1 aal2', 'the session has the preferred class'],
    ['urn:unknown', 'no class is known'],
    ['', 'it is empty'],
    ['AAL2', 'class names are case-sensitive'],
    [`${'x '.repeat(500)}`, 'it is long'],
  ])('answers at once for %.20j: %s', async (acr_values) => {
    const { again, addFactor, tokens } = await setUp()
    await addFactor()
    expect(decodeJwt((await tokens(await again({ acr_values }))).access_token)).toMatchObject({ acr: 'aal1' })
  })

  it('prefers the first class that is known', async () => {
    const { again, addFactor } = await setUp()
    await addFactor()
    expect(placeOf(await again({ acr_values: 'urn:unknown aal2 aal1' }))).toBe('/signin')
  })

  it('answers with the class of the session when the person has no second factor: the values are voluntary', async () => {
    const { again, tokens } = await setUp()
    expect(decodeJwt((await tokens(await again({ acr_values: 'aal2' }))).access_token)).toMatchObject({ acr: 'aal1' })
  })

  it('shows no page with prompt=none, and says which class it reached', async () => {
    const { again, addFactor, tokens } = await setUp()
    await addFactor()
    const silent = await again({ acr_values: 'aal2', prompt: 'none' })
    expect(decodeJwt((await tokens(silent)).access_token)).toMatchObject({ acr: 'aal1' })
  })

  it('is refused if acr_values is repeated (RFC 6749 §3.1)', async () => {
    const { context } = await setUp()
    const query = `response_type=code&client_id=acme-web&redirect_uri=https%3A%2F%2Facme.example%2Fcallback&acr_values=aal1&acr_values=aal2`
    expect((await ask(context, query)).returned).toMatchObject({ error: 'invalid_request' })
  })
})

describe('a request with max_age (RFC 9470 §5)', () => {
  it('asks for a sign-in when the last one is older, and the new token says when it was', async () => {
    const { again, browser, tokens, later, clock } = await setUp()
    later(61)
    expect(placeOf(await again({ max_age: '120' }))).toBe('https://acme.example/callback')
    const page = await again({ max_age: '60' })
    expect(placeOf(page)).toBe('/signin')
    const { access_token } = await tokens(await browser.signIn(page))
    expect(decodeJwt(access_token)).toMatchObject({ auth_time: inSeconds(clock.now) })
  })
})
