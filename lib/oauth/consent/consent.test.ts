import { describe, expect, it } from 'vitest'
import type { Prompt } from '#lib/oauth/authorize/request'
import type { Client } from '#lib/oauth/client/client'
import { expandBundle, profileScopes } from '#lib/oauth/scope'
import { clientWith, requestFor } from '#lib/testing/oauth/authorize-values'
import { consentCovers, consentQuestion } from './consent.ts'
import type { ConsentRecord } from './store.ts'

type Case = { scopes: string[]; client?: Partial<Client>; redirectUri?: string; prompt?: Prompt[] }
const asked = ({ scopes, client = {}, redirectUri, prompt = [] }: Case) => ({
  request: requestFor({ scopes: expandBundle(scopes), prompt, ...(redirectUri && { redirectUri }) }),
  client: clientWith(client),
})
const record = (granted: string[], declined: string[] = [], emailChoice: ConsentRecord['emailChoice'] = 'none') => ({
  granted,
  declined,
  emailChoice,
})
const without = (...names: string[]) => profileScopes.filter((scope) => !names.includes(scope))

describe('a stored consent', () => {
  const before = record(['openid', 'name'], ['nickname'])
  const loopback = 'http://127.0.0.1:9000/callback'
  const custom = 'org.acme.app:/callback'
  it.each<[string, Case, ConsentRecord | undefined, boolean]>([
    ['covers nothing if there is none', { scopes: ['openid'] }, undefined, false],
    ['covers a request for granted scopes', { scopes: ['openid', 'name'] }, before, true],
    ['covers a request for fewer scopes', { scopes: ['openid'] }, before, true],
    ['covers a request with a declined scope', { scopes: ['openid', 'name', 'nickname'] }, before, true],
    ['does not cover a new scope', { scopes: ['openid', 'gender'] }, before, false],
    [
      'does not cover a declined scope that is required now',
      { scopes: ['openid', 'nickname'], client: { requiredScopes: ['openid', 'nickname'] } },
      before,
      false,
    ],
    [
      'covers a request without a required scope',
      { scopes: ['openid'], client: { requiredScopes: ['gender'] } },
      before,
      true,
    ],
    [
      'does not cover a declined e-mail that is required now',
      { scopes: ['openid', 'email'], client: { email: 'required' } },
      record(['openid'], ['email']),
      false,
    ],
    ['covers a declined e-mail', { scopes: ['openid', 'email'] }, record(['openid'], ['email']), true],
    [
      'does not cover a public app on loopback',
      { scopes: ['openid'], client: { kind: 'public' }, redirectUri: loopback },
      before,
      false,
    ],
    [
      'does not cover a custom scheme',
      { scopes: ['openid'], client: { kind: 'public' }, redirectUri: custom },
      before,
      false,
    ],
    [
      'does not cover a public app on [::1]',
      { scopes: ['openid'], client: { kind: 'public' }, redirectUri: 'http://[::1]/' },
      before,
      false,
    ],
    ['covers a public app on https', { scopes: ['openid'], client: { kind: 'public' } }, before, true],
    ['covers an app with a secret on loopback', { scopes: ['openid'], redirectUri: loopback }, before, true],
    [
      'covers a granted bundle',
      { scopes: ['openid', 'profile'] },
      record(['openid', 'profile', ...profileScopes]),
      true,
    ],
    [
      'covers one scope of a granted bundle',
      { scopes: ['openid', 'region'] },
      record(['openid', 'profile', ...profileScopes]),
      true,
    ],
    [
      'covers a bundle of which a scope was declined',
      { scopes: ['openid', 'profile'] },
      record(['openid', ...without('gender')], ['gender']),
      true,
    ],
    ['does not cover a bundle with new scopes', { scopes: ['openid', 'profile'] }, before, false],
    [
      'does not cover a partly declined bundle that is required now',
      { scopes: ['openid', 'profile'], client: { requiredScopes: ['openid', 'profile'] } },
      record(['openid', ...without('gender')], ['gender']),
      false,
    ],
  ])('%s', (_, request, known, expected) => {
    expect(consentCovers(asked(request), known)).toBe(expected)
  })
})

describe('the consent page', () => {
  it('asks for each scope once, never for the bundle; optional ones start ticked', () => {
    const question = consentQuestion(asked({ scopes: ['openid', 'profile', 'email'] }), undefined)
    expect(question.scopes.map(({ name }) => name)).toEqual(['openid', ...profileScopes, 'email'])
    expect(question.scopes.every(({ chosen, isNew }) => chosen && isNew)).toBe(true)
    expect(question.scopes.filter(({ required }) => required).map(({ name }) => name)).toEqual(['openid'])
    expect(question.email).toBe('optional')
  })

  it('asks later only for new and newly required scopes, and lists the others', () => {
    const scopes = ['openid', 'name', 'nickname', 'region', 'gender', 'email']
    const request = asked({ scopes, client: { requiredScopes: ['openid', 'region'] } })
    const before = record(['openid', 'name', 'email'], ['nickname', 'region'], 'hidden')
    expect(consentQuestion(request, before)).toEqual({
      scopes: [
        { name: 'region', required: true, isNew: false, chosen: false },
        { name: 'gender', required: false, isNew: true, chosen: true },
      ],
      settled: [
        { name: 'openid', granted: true },
        { name: 'name', granted: true },
        { name: 'nickname', granted: false },
        { name: 'email', granted: true },
      ],
      email: 'none',
      emailChoice: 'hidden',
    })
  })

  it.each<[string, Case]>([
    ['with prompt=consent', { scopes: ['openid', 'email'], prompt: ['consent'] }],
    ['on loopback', { scopes: ['openid', 'email'], client: { kind: 'public' }, redirectUri: 'http://[::1]/' }],
  ])('asks for everything again, with the earlier choice, %s', (_, request) => {
    const question = consentQuestion(asked(request), record(['openid', 'email'], [], 'hidden'))
    expect(question.scopes.map(({ name }) => name)).toEqual(['openid', 'email'])
    expect(question).toMatchObject({ settled: [], email: 'optional', emailChoice: 'hidden' })
  })

  it('preselects no choice of address if there was none', () => {
    expect(consentQuestion(asked({ scopes: ['openid', 'email'] }), record(['openid'])).emailChoice).toBeUndefined()
    expect(consentQuestion(asked({ scopes: ['openid', 'email'] }), undefined).emailChoice).toBeUndefined()
  })

  it('marks new scopes, and starts declined ones unticked', () => {
    const request = asked({ scopes: ['openid', 'name', 'nickname', 'gender'], prompt: ['consent'] })
    expect(consentQuestion(request, record(['openid', 'name'], ['nickname'])).scopes).toEqual([
      { name: 'openid', required: true, isNew: false, chosen: true },
      { name: 'name', required: false, isNew: false, chosen: true },
      { name: 'nickname', required: false, isNew: false, chosen: false },
      { name: 'gender', required: false, isNew: true, chosen: true },
    ])
  })

  it.each([
    ['none', ['openid'], 'optional'],
    ['optional', ['openid', 'email'], 'optional'],
    ['required', ['openid', 'email'], 'required'],
  ] as const)('says e-mail is %s when %j is asked of an app where it is %s', (expected, scopes, email) => {
    expect(consentQuestion(asked({ scopes: [...scopes], client: { email } }), undefined).email).toBe(expected)
  })

  it('makes every part of a required bundle required', () => {
    const question = consentQuestion(
      asked({ scopes: ['openid', 'profile', 'email'], client: { requiredScopes: ['openid', 'profile'] } }),
      undefined,
    )
    expect(question.scopes.filter(({ required }) => !required).map(({ name }) => name)).toEqual(['email'])
  })
})
