import { describe, expect, it } from 'vitest'
import { refusal, setUpTokens } from '#lib/testing/oauth/tokens'
import { basic, basicAuth, callback, verifier } from '#lib/testing/process/postern'

describe('a token request', () => {
  it.each([
    ['an unknown grant', 'grant_type=password', {}, '400 unsupported_grant_type'],
    ['no grant', 'code=x', {}, '400 invalid_request'],
    ['a repeated parameter', 'grant_type=authorization_code&code=a&code=b', {}, '400 invalid_request'],
    ['broken encoding', 'grant_type=%zz', {}, '400 invalid_request'],
    ['invalid UTF-8', 'grant_type=%ff', {}, '400 invalid_request'],
    ['NUL', 'grant_type=authorization_code&code=%00', {}, '400 invalid_request'],
    ['another content type', '{}', { 'content-type': 'application/json' }, '400 invalid_request'],
  ])('is rejected with %s', async (_, body, headers, expected) => {
    const { token } = await setUpTokens()
    expect(await refusal(token(body, { ...basic, ...headers }))).toBe(expected)
  })

  it('is rejected after authentication without a grant, and recorded for the app’s developers', async () => {
    const { token, failures } = await setUpTokens()
    expect(await refusal(token('code=x'))).toBe('400 invalid_request')
    await expect.poll(() => failures('acme-web')).toMatchObject([{ reason: 'The parameter grant_type is missing.' }])
    expect(await refusal(token('code=x', basicAuth('acme-web', 'wrong')))).toBe('401 invalid_client')
  })

  it('may have unknown parameters, also repeated ones', async () => {
    const { approve, token } = await setUpTokens()
    const code = await approve()
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: callback,
      code_verifier: verifier,
    })
    expect((await token(`${form}&x=1&x=2`)).status).toBe(200)
  })
})

it('records the reason of a refusal for the app’s developers, counts equal ones together, and does not send it', async () => {
  const { approve, exchange, failures } = await setUpTokens()
  const code = await approve()
  const answers = [
    await exchange(code, { redirect_uri: 'https://acme.example/x' }),
    await exchange(code, { redirect_uri: 'https://acme.example/x' }),
  ]
  expect(await answers[0]?.text()).not.toContain('differs')
  await expect
    .poll(() => failures('acme-web'))
    .toMatchObject([
      {
        endpoint: 'token',
        code: 'invalid_grant',
        reason: 'redirect_uri differs from the authorization request',
        count: 2,
      },
    ])
  const [failure] = await failures('acme-web')
  expect(JSON.parse(failure?.detail ?? '')).toEqual({ received: 'https://acme.example/x', registered: callback })
})
