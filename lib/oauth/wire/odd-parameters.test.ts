import { describe, expect, it } from 'vitest'
import { answerToken } from '#lib/oauth/token/endpoint'
import { answerUserinfo } from '#lib/oauth/userinfo/userinfo'
import { ask, type Outcome, queryOf } from '#lib/testing/oauth/authorize'
import { basicAuth, callback, secret } from '#lib/testing/process/postern'
import { sharePostern } from '#lib/testing/process/share-postern'

const app = { kind: 'confidential', client_secret: secret, redirect_uris: [callback], scopes: ['openid', 'name'] }
const apps = [
  { ...app, client_id: 'acme-web', name: 'Acme', profile: 'oidc' },
  { ...app, client_id: 'acme-spa', name: 'Acme Browser', profile: 'oidc', kind: 'public', client_secret: undefined },
]
const people = [{ username: 'ada', password: 'correct horse battery' }]
const postern = sharePostern({ provision: { teams: [{ id: 'acme', name: 'Acme', apps }], people } })
const issuer = () => postern.context.config.issuer

const long = 'x'.repeat(5000)
const resultOf = ({ returned, accepted }: Outcome) => returned?.error ?? (accepted ? 'accepted' : 'shown')
const formType = { 'content-type': 'application/x-www-form-urlencoded' }

describe('an authorization request with', () => {
  // RFC 6749 §3.1: "Parameters sent without a value MUST be treated as if they were omitted", "MUST NOT be included
  // more than once".
  it.each([
    ['an empty dpop_jkt', 'dpop_jkt=', 'accepted'],
    ['a dpop_jkt that is no thumbprint', 'dpop_jkt=x', 'invalid_request'],
    ['a huge dpop_jkt', `dpop_jkt=${long}`, 'invalid_request'],
    ['a repeated dpop_jkt', 'dpop_jkt=x&dpop_jkt=x', 'invalid_request'],
    ['empty acr_values', 'acr_values=', 'accepted'],
    ['huge acr_values', `acr_values=${long}`, 'accepted'],
    ['ten thousand acr_values', `acr_values=${'a%20'.repeat(10_000)}`, 'accepted'],
    ['repeated acr_values', 'acr_values=aal1&acr_values=aal2', 'invalid_request'],
    ['an empty response_mode', 'response_mode=', 'accepted'],
    ['a huge response_mode', `response_mode=${long}`, 'invalid_request'],
    ['a repeated response_mode', 'response_mode=query&response_mode=query', 'invalid_request'],
    ['an empty max_age', 'max_age=', 'accepted'],
    ['a huge max_age', `max_age=${'9'.repeat(400)}`, 'invalid_request'],
    ['a max_age that is no number', 'max_age=soon', 'invalid_request'],
    ['a repeated resource of no API', 'resource=a&resource=b', 'invalid_target'],
    ['an empty resource', 'resource=', 'accepted'],
  ])('%s is answered with its error, or as if the parameter were absent', async (_, added, result) => {
    expect(resultOf(await ask(postern.context, `${queryOf({})}&${added}`))).toBe(result)
  })
})

it('requires state of a public app of profile oidc, and leaves it to a confidential one', async () => {
  expect(resultOf(await ask(postern.context, { state: undefined }))).toBe('accepted')
  const publicApp = { client_id: 'acme-spa' }
  expect(resultOf(await ask(postern.context, publicApp))).toBe('accepted')
  expect(resultOf(await ask(postern.context, { ...publicApp, state: undefined }))).toBe('invalid_request')
})

describe('client_secret in the form', () => {
  const exchange = async (secrets: string) => {
    const body = `grant_type=authorization_code&code=x&redirect_uri=${callback}&client_id=acme-web${secrets}`
    const request = new Request(`${issuer()}/oauth2/token`, { method: 'POST', headers: formType, body })
    const answer = await answerToken(postern.context.oauth, request)
    return `${answer.status} ${(await answer.json()).error}`
  }
  const right = encodeURIComponent(secret)

  it('authenticates the app, so that the code is refused next', async () => {
    expect(await exchange(`&client_secret=${right}`)).toBe('400 invalid_grant')
  })

  it.each([
    ['repeated', `&client_secret=${right}&client_secret=${right}`, '400 invalid_request'],
    ['empty', '&client_secret=', '401 invalid_client'],
    ['absent', '', '401 invalid_client'],
    ['huge', `&client_secret=${'x'.repeat(60_000)}`, '401 invalid_client'],
    ['broken', '&client_secret=%ff', '400 invalid_request'],
    ['wrong', '&client_secret=wrong', '401 invalid_client'],
  ])('that is %s is refused', async (_, secrets, refusal) => {
    expect(await exchange(secrets)).toBe(refusal)
  })

  it('beside HTTP Basic is refused: one method only (RFC 6749 §2.3)', async () => {
    const form = { grant_type: 'authorization_code', code: 'x', redirect_uri: callback, client_secret: secret }
    const answer = await postern.token(form, basicAuth('acme-web', secret))
    expect([answer.status, (await answer.json()).error]).toEqual([400, 'invalid_request'])
  })
})

describe('access_token in the form of userinfo (RFC 6750 §2.2)', () => {
  const read = async (body: string, headers: Record<string, string> = {}) => {
    const sent = { method: 'POST', headers: { ...formType, ...headers }, body }
    const answer = await answerUserinfo(postern.context.oauth, new Request(`${issuer()}/userinfo`, sent))
    return `${answer.status} ${/error="(\w+)"/.exec(answer.headers.get('www-authenticate') ?? '')?.[1] ?? ''}`.trim()
  }
  const tokenOf = async () => {
    const form = { grant_type: 'authorization_code', code: await postern.approve(), redirect_uri: callback }
    const answer = await postern.token({ ...form, code_verifier: 'v'.repeat(43) }, basicAuth('acme-web', secret))
    return (await answer.json()).access_token as string
  }

  it('opens userinfo once, and is refused when it is repeated or beside the header', async () => {
    const token = await tokenOf()
    expect(await read(`access_token=${token}`)).toBe('200')
    expect(await read(`access_token=${token}&access_token=${token}`)).toBe('400 invalid_request')
    expect(await read(`access_token=${token}`, { authorization: `Bearer ${token}` })).toBe('400 invalid_request')
  })

  it.each([
    ['empty', 'access_token=', '401'],
    ['absent', '', '401'],
    ['huge', `access_token=${'x'.repeat(60_000)}`, '401 invalid_token'],
    ['of a wrong type', 'access_token=%7B%7D', '401 invalid_token'],
  ])('that is %s is refused', async (_, body, refusal) => {
    expect(await read(body)).toBe(refusal)
  })
})
