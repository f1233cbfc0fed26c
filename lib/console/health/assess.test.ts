import { describe, expect, it } from 'vitest'
import { assess } from './assess.ts'
import type { Check, HealthApp } from './check.ts'
import { addressOf, rules } from './rules.ts'
import { seenIn } from './seen.ts'

const now = new Date('2026-11-23T12:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)
const secret = (made: number, used: number | null = 0) => ({
  id: `s${made}`,
  createdAt: daysAgo(made),
  expiresAt: null,
  lastUsedAt: used === null ? null : daysAgo(used),
})
const key = (made: number) => ({ kid: `k${made}`, jwk: '{}', createdAt: daysAgo(made), lastUsedAt: null })
const web: HealthApp = {
  kind: 'confidential',
  profile: 'oidc',
  scopes: ['openid', 'name', 'email'],
  declaration: { redirect_uris: ['https://acme.example/cb'], scopes: ['openid', 'name', 'email'] },
  secrets: [secret(10)],
  keys: [],
}
const fapi: HealthApp = { ...web, kind: 'assertion', profile: 'fapi2', secrets: [], keys: [key(10)] }
const browser: HealthApp = { ...web, kind: 'public', profile: 'standard', secrets: [] }
const redirects = (...uris: string[]) => ({ declaration: { ...web.declaration, redirect_uris: uris } })

/** What a good app of this kind showed. */
const fine = {
  sign_ins: 100,
  pkce: 100,
  'state strong': 100,
  'nonce strong': 100,
  'scope openid': 100,
  'scope name': 90,
  'scope email': 4,
  refreshes: 200,
}
const unprotected = { ...fine, pkce: 0, no_pkce: 100, 'nonce strong': 0, 'nonce absent': 100 }

type Counts = Record<string, number>
const report = (app: Partial<HealthApp>, counts: Counts = fine) =>
  assess({ ...web, ...app }, seenIn(Object.entries(counts).map(([what, count]) => ({ day: now, what, count }))), now)
const check = (subject: Check['subject'], app: Partial<HealthApp>, counts?: Counts) => {
  const found = report(app, counts).checks.find((one) => one.subject === subject)
  return found && [found.found, found.grade]
}

describe('a check of what is registered', () => {
  it.each<[string, Check['subject'], Partial<HealthApp>, [string, string] | undefined]>([
    ['https', 'redirects', {}, ['https', 'good']],
    ['http for a server', 'redirects', redirects('http://localhost:3000/cb'), ['http', 'mend']],
    [
      'http on loopback for a native app',
      'redirects',
      { ...browser, ...redirects('http://127.0.0.1/cb') },
      ['loopback', 'good'],
    ],
    ['a scheme of its own', 'redirects', { ...browser, ...redirects('com.example.app:/cb') }, ['scheme', 'look']],
    [
      'eleven URIs',
      'redirects',
      redirects(...Array.from({ length: 11 }, (_, n) => `https://a.example/${n}`)),
      ['many', 'look'],
    ],
    ['the profile oidc of a server', 'profile', {}, ['oidc', 'look']],
    ['the profile oidc of a browser', 'profile', { ...browser, profile: 'oidc' }, ['standard', 'good']],
    ['the profile standard', 'profile', { profile: 'standard' }, ['standard', 'good']],
    ['the profile fapi2', 'profile', fapi, ['fapi2', 'good']],
    ['a secret', 'authentication', {}, ['secret', 'look']],
    ['keys', 'authentication', fapi, ['key', 'good']],
    ['no credentials', 'authentication', browser, ['public', 'good']],
    ['a new secret', 'secrets', {}, ['fresh', 'good']],
    ['a secret of a year', 'secrets', { secrets: [secret(366)] }, ['old', 'look']],
    ['a secret of two years', 'secrets', { secrets: [secret(731)] }, ['old', 'mend']],
    ['two secrets in a rotation', 'secrets', { secrets: [secret(200), secret(5)] }, ['fresh', 'good']],
    ['two secrets for long', 'secrets', { secrets: [secret(200), secret(40)] }, ['two', 'look']],
    ['a second secret that no one uses', 'secrets', { secrets: [secret(200, 100), secret(5)] }, ['unused', 'look']],
    [
      'a second secret that was never used',
      'secrets',
      { secrets: [secret(200), secret(100, null)] },
      ['unused', 'look'],
    ],
    [
      'an expired secret beside a new one',
      'secrets',
      { secrets: [{ ...secret(800), expiresAt: daysAgo(1) }, secret(5)] },
      ['fresh', 'good'],
    ],
    ['no secret', 'secrets', browser, undefined],
    ['a new key', 'keys', fapi, ['fresh', 'good']],
    ['a key of a year', 'keys', { ...fapi, keys: [key(400), key(3)] }, ['old', 'look']],
    ['a key of two years', 'keys', { ...fapi, keys: [key(800)] }, ['old', 'mend']],
    [
      'published keys',
      'keys',
      { ...fapi, keys: [], declaration: { ...web.declaration, jwks_uri: 'https://a.example/jwks' } },
      ['published', 'good'],
    ],
    ['no keys', 'keys', {}, undefined],
    ['bearer tokens', 'tokens', {}, ['bearer', 'look']],
    [
      'bound tokens',
      'tokens',
      { declaration: { ...web.declaration, dpop_bound_access_tokens: true } },
      ['bound', 'good'],
    ],
  ])('grades %s', (_, subject, app, expected) => {
    expect(check(subject, app)).toEqual(expected)
  })
})

describe('a check of what requests showed', () => {
  it.each<[string, Check['subject'], Partial<HealthApp>, Counts, [string, string] | undefined]>([
    ['scopes that are used', 'scopes', {}, fine, ['used', 'good']],
    [
      'the bundle, of which one scope was granted',
      'scopes',
      { declaration: { ...web.declaration, scopes: ['openid', 'profile'] } },
      fine,
      ['used', 'good'],
    ],
    ['scopes after nine sign-ins', 'scopes', {}, { pkce: 9 }, ['unseen', 'unseen']],
    ['refreshes', 'refresh', {}, fine, ['fine', 'good']],
    ['no refreshes', 'refresh', {}, { ...fine, refreshes: 0 }, ['unseen', 'unseen']],
    ['one replay', 'refresh', {}, { ...fine, replayed_refreshes: 1 }, ['replays', 'look']],
    ['many replays', 'refresh', {}, { ...fine, replayed_refreshes: 3 }, ['replays', 'mend']],
    ['replays alone', 'refresh', {}, { replayed_refreshes: 3 }, ['replays', 'mend']],
    ['refreshes that are often repeated', 'refresh', {}, { ...fine, repeated_refreshes: 21 }, ['repeats', 'look']],
    ['refreshes that are mostly early', 'refresh', {}, { ...fine, early_refreshes: 101 }, ['early', 'look']],
    ['refreshes of a public app', 'refresh', browser, fine, undefined],
    ['PKCE that the profile requires', 'pkce', browser, {}, ['required', 'good']],
    ['PKCE at each sign-in', 'pkce', {}, fine, ['always', 'good']],
    ['PKCE that was not seen', 'pkce', {}, {}, ['unseen', 'unseen']],
    ['a nonce instead of PKCE', 'pkce', {}, { ...fine, pkce: 0, no_pkce: 100 }, ['nonce', 'look']],
    ['neither PKCE nor nonce', 'pkce', {}, unprotected, ['missing', 'mend']],
    ['a constant challenge', 'pkce', browser, { ...fine, repeated_pkce: 20 }, ['repeated', 'mend']],
    ['a strong state', 'state', {}, fine, ['strong', 'good']],
    ['a state that was not seen', 'state', {}, {}, ['unseen', 'unseen']],
    ['no state beside PKCE', 'state', {}, { ...fine, 'state strong': 0, 'state absent': 100 }, ['spare', 'good']],
    [
      'no state, no PKCE, no nonce',
      'state',
      {},
      { ...unprotected, 'state strong': 0, 'state absent': 100 },
      ['absent', 'mend'],
    ],
    ['a weak state beside PKCE', 'state', {}, { ...fine, 'state weak': 50 }, ['weak', 'look']],
    ['a weak state alone', 'state', {}, { ...unprotected, 'state weak': 50 }, ['weak', 'mend']],
    [
      'a constant state where the profile requires PKCE',
      'state',
      { profile: 'standard' },
      { ...unprotected, 'state repeated': 50 },
      ['repeated', 'look'],
    ],
    ['a constant state alone', 'state', {}, { ...unprotected, 'state repeated': 50 }, ['repeated', 'mend']],
    ['a state that came twice', 'state', {}, { ...unprotected, 'state repeated': 2 }, ['strong', 'good']],
    ['a fair state alone', 'state', {}, { ...unprotected, 'state fair': 50 }, ['fair', 'look']],
    ['no nonce beside PKCE', 'nonce', {}, { ...fine, 'nonce strong': 0, 'nonce absent': 100 }, ['spare', 'good']],
    ['no nonce without PKCE', 'nonce', {}, unprotected, ['absent', 'mend']],
    [
      'a constant nonce without PKCE',
      'nonce',
      {},
      { ...fine, pkce: 0, no_pkce: 100, 'nonce repeated': 90 },
      ['repeated', 'mend'],
    ],
  ])('grades %s', (_, subject, app, counts, expected) => {
    expect(check(subject, app, counts)).toEqual(expected)
  })

  it('names the scopes that were never granted', () => {
    const { 'scope email': _, ...without } = fine
    const found = report({}, without).checks.find(({ subject }) => subject === 'scopes')
    expect([found?.found, found?.grade, found?.values]).toEqual(['unused', 'look', { scopes: 'email' }])
  })
})

describe('the grade by a standard', () => {
  it('is good by all three for an app of FAPI 2.0 that does everything right', () => {
    expect(report(fapi).grades).toEqual({ oauth21: 'good', rfc9700: 'good', fapi2: 'good' })
  })

  it('is that of the worst check; an app without the profile need not meet FAPI 2.0', () => {
    const { grades, checks } = report({})
    expect(grades).toEqual({ oauth21: 'look', rfc9700: 'look', fapi2: 'mend' })
    expect(checks.some(({ grade }) => grade === 'mend')).toBe(false)
    expect(report({}, unprotected).grades).toEqual({ oauth21: 'mend', rfc9700: 'mend', fapi2: 'mend' })
  })

  it('counts what was not seen neither as good nor as bad', () => {
    expect(report(fapi, {}).grades).toEqual({ oauth21: 'good', rfc9700: 'good', fapi2: 'good' })
  })

  it('lists what needs work first', () => {
    expect([...new Set(report({}, { ...unprotected, refreshes: 0 }).checks.map(({ grade }) => grade))]).toEqual([
      'mend',
      'look',
      'unseen',
      'good',
    ])
  })
})

it('links each sentence to its section', () => {
  expect(addressOf(rules.noHttpBcp)).toBe('https://www.rfc-editor.org/rfc/rfc9700.html#section-2.6')
  expect(
    Object.values(rules)
      .map(addressOf)
      .every((address) => URL.canParse(address)),
  ).toBe(true)
})
