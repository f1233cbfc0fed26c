import { describe, expect, it } from 'vitest'
import { asked, shareClaims } from '#lib/testing/browser/claims'
import { placeOf } from '#lib/testing/browser/flow'
import { ask } from '#lib/testing/oauth/authorize'

const { setUp } = shareClaims()

describe('a claim that is asked without its scope (Core §5.5)', () => {
  it('is put on the consent page, and grants its scope', async () => {
    const { approve } = await setUp()
    const { tokens, claims, idToken } = await approve({ userinfo: { name: { essential: true }, email: null } }, [
      'name',
    ])
    expect(tokens.scope).toBe('openid name email')
    expect(claims).toMatchObject({ name: 'Ada L.', email: 'ada@example.org', email_verified: true })
    expect(idToken).not.toHaveProperty('name')
  })

  it('is not returned if the person unticks it, also if it is essential, and no error is (§5.5.1)', async () => {
    const { approve } = await setUp()
    const { tokens, claims, idToken } = await approve(
      { userinfo: { name: { essential: true } }, id_token: { locale: { essential: true } } },
      [],
    )
    expect(tokens.scope).toBe('openid')
    expect(claims).toEqual({ sub: idToken.sub })
    expect(idToken).not.toHaveProperty('locale')
  })

  it('is ignored if the app did not register its scope, and its recent failures name it', async () => {
    const { context, failures } = await setUp()
    const { accepted } = await ask(context, asked({ userinfo: { gender: null, email: null } }))
    expect(accepted?.scopes).toEqual(['openid', 'email'])
    await expect
      .poll(async () => (await failures('asking')).map(({ detail }) => detail))
      .toContain('{"scopes":"gender"}')
  })

  it.each([
    ['email_verified', ['openid', 'email']],
    ['name#ja', ['openid', 'name']],
    ['updated_at', ['openid']],
    ['sub', ['openid']],
    ['phone_number', ['openid']],
    ['__proto__', ['openid']],
    ['openid', ['openid']],
    ['profile', ['openid']],
    ['', ['openid']],
  ])('asks for the scope of the claim %j alone', async (name, scopes) => {
    const { context } = await setUp()
    for (const member of ['userinfo', 'id_token']) {
      const { accepted } = await ask(context, asked(`{"${member}":{${JSON.stringify(name)}:null}}`))
      expect(accepted?.scopes).toEqual(scopes)
    }
  })
})

describe('the member id_token (Core §5.5)', () => {
  it('puts granted and set claims into the ID token, on refresh too, and no other ones', async () => {
    const { approve, refresh } = await setUp()
    const claims = { id_token: { name: null, email: null, nickname: { essential: true }, updated_at: null } }
    const { idToken, tokens } = await approve(claims, ['name', 'nickname', 'locale'], {
      scope: 'openid preferred_username',
    })
    for (const one of [idToken, await refresh(tokens.refresh_token)]) {
      expect(one).toMatchObject({ name: 'Ada L.', email: 'ada@example.org', updated_at: expect.any(Number) })
      for (const absent of ['nickname', 'preferred_username', 'email_verified']) expect(one).not.toHaveProperty(absent)
    }
  })

  it('returns a claim that is asked in a language without a tag, because it has one value (§5.2)', async () => {
    const { approve } = await setUp()
    const { idToken } = await approve({ id_token: { 'name#ja-Kana-JP': null, 'name#en': null } }, ['name'])
    expect(idToken).toMatchObject({ name: 'Ada L.' })
  })

  it('honours auth_time (§2: when it is requested)', async () => {
    const { approve, clock } = await setUp()
    const { idToken } = await approve({ id_token: { auth_time: { essential: true } } }, [])
    expect(idToken.auth_time).toBe(Math.floor(clock.now.getTime() / 1000))
  })
})

describe('a requested sub (Core §3.1.2.2, §5.5.1: the answer is only about this person)', () => {
  const subOf = (sub: unknown) => ({ id_token: { sub } })

  it('that is the person who is signed in is answered at once', async () => {
    const { approve, browser, read } = await setUp()
    const { idToken } = await approve({}, [])
    for (const sub of [{ value: idToken.sub }, { values: [idToken.sub] }, null]) {
      const again = await read(await browser.authorize(asked(subOf(sub), { prompt: 'none' })))
      expect(again.idToken.sub).toBe(idToken.sub)
    }
  })

  it.each(['id_token', 'userinfo'])('in %s that is another person needs a sign-in', async (member) => {
    const { approve, browser } = await setUp()
    await approve({}, [])
    const claims = { [member]: { sub: { value: 'another' } } }
    const silent = await browser.authorize(asked(claims, { prompt: 'none' }))
    expect(silent.parameters).toMatchObject({ error: 'login_required', state: 'state' })
    const page = await browser.authorize(asked(claims))
    expect(placeOf(page)).toBe('/signin')
    expect((await browser.signIn(page)).parameters).toMatchObject({ error: 'login_required' })
  })

  it.each([
    ['a number', { value: 7 }],
    ['null', { value: null }],
    ['an object', { value: {} }],
    ['longer than 255 characters', { value: 'x'.repeat(256) }],
    ['two different ones', { values: ['a', 'b'] }],
  ])('that is %s is refused', async (_, sub) => {
    const { context } = await setUp()
    expect((await ask(context, asked(subOf(sub)))).returned).toMatchObject({ error: 'invalid_request' })
  })

  it('that differs from the id_token_hint is refused', async () => {
    const { approve, context } = await setUp()
    const { tokens } = await approve({}, [])
    const { returned } = await ask(context, asked(subOf({ value: 'another' }), { id_token_hint: tokens.id_token }))
    expect(returned).toMatchObject({ error: 'invalid_request', state: 'state' })
  })
})

describe('a requested acr (Core §5.5.1.1)', () => {
  const acr = (request: object | null) => ({ id_token: { acr: request } })

  it('with a known value that is essential steps the person up, or fails', async () => {
    const { approve, browser, addFactor, read, later } = await setUp()
    await approve({}, [])
    const claims = acr({ essential: true, values: ['urn:unknown', 'aal2'] })
    const unmet = { error: 'unmet_authentication_requirements', state: 'state' }
    for (const more of [{}, { prompt: 'none' }])
      expect((await browser.authorize(asked(claims, more))).parameters).toMatchObject(unmet)
    const show = await addFactor()
    later(60)
    const silent = await browser.authorize(asked(claims, { prompt: 'none' }))
    expect(silent.parameters).toMatchObject({ error: 'login_required' })
    const question = await browser.signIn(await browser.authorize(asked(claims)))
    expect(placeOf(question)).toBe('/two-factor')
    const { request } = question.parameters
    const { idToken } = await read(await browser.post('/two-factor/submit', { request, code: await show() }))
    expect(idToken.acr).toBe('aal2')
    // A sign-in with two factors also reaches aal1; the ID token names aal1, because the claim must have a requested
    // value.
    const lower = await read(await browser.authorize(asked(acr({ essential: true, value: 'aal1' }))))
    expect(lower.idToken.acr).toBe('aal1')
  })

  it('fails after a sign-in that does not reach it', async () => {
    const { browser } = await setUp()
    const page = await browser.authorize(asked(acr({ essential: true, value: 'aal2' })))
    expect(placeOf(page)).toBe('/signin')
    expect((await browser.signIn(page)).parameters).toMatchObject({ error: 'unmet_authentication_requirements' })
  })

  it('without a known value that is essential is refused', async () => {
    const { context } = await setUp()
    for (const request of [{ value: 'urn:unknown' }, { values: ['AAL2', 2] }]) {
      const { returned } = await ask(context, asked(acr({ essential: true, ...request })))
      expect(returned).toMatchObject({ error: 'unmet_authentication_requirements', state: 'state' })
    }
  })

  it.each([
    [null],
    [{}],
    [{ essential: true }],
    [{ value: 'aal2' }],
    [{ values: ['aal2'], essential: 'true' }],
    [{ values: [], essential: true }],
  ])('as %j is voluntary: the class of the session is returned', async (request) => {
    const { approve } = await setUp()
    expect((await approve(acr(request), [])).idToken.acr).toBe('aal1')
  })
})
