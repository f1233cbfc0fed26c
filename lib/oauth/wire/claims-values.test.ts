import { describe, expect, it } from 'vitest'
import { asked, shareClaims } from '#lib/testing/browser/claims'
import { placeOf } from '#lib/testing/browser/flow'
import { ask } from '#lib/testing/oauth/authorize'

const { setUp } = shareClaims()
const ticked = ['name', 'locale', 'preferred_username']
const mine = { name: 'Ada L.', locale: 'ja', preferred_username: 'ada', email: 'ada@example.org', email_verified: true }
const all = { name: null, locale: null, preferred_username: null, email: null, email_verified: null }

/** Returns a text that compression cannot shorten. */
const hardToCompress = (length: number) =>
  Array.from({ length }, (_, at) => String.fromCharCode(0x4e00 + ((at * at * 7919) % 20_011))).join('')

describe('a claim that is requested with a value (Core §5.5.1: "be returned with a particular value")', () => {
  it.each(Object.entries(mine))('returns %s if its value is %j', async (name, value) => {
    const { approve } = await setUp()
    const own = { ...all, [name]: { value, essential: true } }
    const { claims, idToken } = await approve({ userinfo: own, id_token: own }, ticked)
    expect(claims).toMatchObject(mine)
    expect(idToken).toMatchObject(mine)
  })

  it.each([
    ['name', 'ada l.'],
    ['locale', 'ja-JP'],
    ['locale', ['ja']],
    ['preferred_username', ''],
    ['email', 'ADA@example.org'],
    ['email_verified', 'true'],
    ['email_verified', false],
    ['updated_at', 1],
    ['name', {}],
  ])('leaves out %s if the value is not %j, without an error and with every other claim', async (name, value) => {
    const { approve } = await setUp()
    const own = { ...all, [name]: { value, essential: true } }
    const { [name]: _, ...others } = mine as Record<string, unknown>
    const { claims, idToken } = await approve({ userinfo: own, id_token: own }, ticked)
    for (const one of [claims, idToken]) {
      expect(one).toMatchObject(others)
      expect(one).not.toHaveProperty(name)
    }
  })

  it('returns it with one of several values ("processed equivalently to a value request")', async () => {
    const { approve } = await setUp()
    const { claims } = await approve(
      { userinfo: { locale: { values: ['en', 'ja'] }, name: { values: ['Ada', 'Grace'] } } },
      ticked,
    )
    expect(claims).toMatchObject({ locale: 'ja' })
    expect(claims).not.toHaveProperty('name')
  })

  it.each([
    ['no value', {}],
    ['null as value', { value: null, values: null }],
    ['an empty list', { values: [] }],
    ['a text as list', { values: 'en' }],
  ])('returns it with %s, which is no restriction', async (_, locale) => {
    const { approve } = await setUp()
    const { claims, idToken } = await approve({ userinfo: { locale }, id_token: { locale } }, ticked)
    expect([claims.locale, idToken.locale]).toEqual(['ja', 'ja'])
  })

  it('restricts the place that names the value, and no other', async () => {
    const { approve } = await setUp()
    const [right, wrong] = [{ value: 'ja' }, { value: 'en' }]
    const first = await approve({ userinfo: { locale: wrong }, id_token: { locale: right } }, ticked)
    expect([first.claims.locale, first.idToken.locale]).toEqual([undefined, 'ja'])
  })

  it('counts each language of a claim, because it has one value (§5.2)', async () => {
    const { approve } = await setUp()
    const names = { 'name#ja': { value: 'エイダ' }, 'name#en': { value: 'Ada L.' } }
    expect((await approve({ userinfo: names }, ticked)).claims).toMatchObject({ name: 'Ada L.' })
  })

  it('is compared with the value at the time of each answer, also after a refresh', async () => {
    const { approve, refresh, userinfo, prisma } = await setUp()
    const locale = { value: 'ja' }
    const { tokens } = await approve({ userinfo: { locale }, id_token: { locale } }, ticked)
    const setLocale = (value: string) => prisma.person.update({ where: { username: 'ada' }, data: { locale: value } })
    await setLocale('en')
    expect(await (await userinfo(tokens.access_token)).json()).not.toHaveProperty('locale')
    expect(await refresh(tokens.refresh_token)).not.toHaveProperty('locale')
    await setLocale('ja')
    expect(await (await userinfo(tokens.access_token)).json()).toMatchObject({ locale: 'ja' })
  })

  it('applies to a claim that the parameter scope asks for too', async () => {
    const { approve } = await setUp()
    const locale = { value: 'en' }
    const { claims, idToken, tokens } = await approve({ userinfo: { locale }, id_token: { locale } }, ticked, {
      scope: 'openid locale',
    })
    expect(tokens.scope).toBe('openid locale')
    for (const one of [claims, idToken]) expect(one).not.toHaveProperty('locale')
  })

  it('says nothing about the address that a person hides', async () => {
    const { browser, consentTo, read } = await setUp()
    const page = await consentTo({ userinfo: { email: { value: 'ada@example.org' } } })
    expect(placeOf(page)).toBe('/consent')
    const { claims } = await read(await browser.decide(page, { email_choice: 'hidden' }))
    expect(claims).not.toHaveProperty('email')
  })

  it('is compared only if the person shares the claim', async () => {
    const { approve } = await setUp()
    const name = { value: mine.name }
    const { claims, idToken, tokens } = await approve({ userinfo: { name }, id_token: { name } }, [])
    expect([claims.name, idToken.name, tokens.scope]).toEqual([undefined, undefined, 'openid'])
  })

  it('passes with long values, and is refused if the request becomes too large', async () => {
    const { browser } = await setUp()
    const withValue = (length: number) => ({ userinfo: { name: { value: hardToCompress(length) } } })
    expect(placeOf(await browser.authorize(asked(withValue(1000))))).toBe('/signin')
    const { parameters } = await browser.authorize(asked(withValue(3900)))
    expect(parameters.error).toBe('invalid_request')
  })

  it('keeps no list and no object, which no claim equals', async () => {
    const { context } = await setUp()
    const values = [{}, ['ja'], 'ja', true, null]
    const { accepted } = await ask(context, asked({ userinfo: { locale: { values }, name: { value: {} } } }))
    expect(accepted?.claims?.values?.userinfo).toEqual({ locale: ['ja', true], name: [] })
  })

  it('restricts no claim of a later request', async () => {
    const { approve, browser, read } = await setUp()
    await approve({ userinfo: { locale: { value: 'en' } } }, ticked)
    const later = await read(await browser.authorize(asked({ userinfo: { locale: null } }, { prompt: 'none' })))
    expect(later.claims).toMatchObject({ locale: 'ja' })
  })

  it('carries nothing in a request without values', async () => {
    const { context } = await setUp()
    const { accepted } = await ask(context, asked({ userinfo: all, id_token: { acr: { value: 'aal2' } } }))
    expect(accepted?.claims?.values).toBeUndefined()
  })
})
