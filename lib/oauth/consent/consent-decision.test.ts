import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Prompt } from '#lib/oauth/authorize/request'
import type { Client } from '#lib/oauth/client/client'
import { expandBundle, knownScopes, profileScopes } from '#lib/oauth/scope'
import { clientWith, requestFor } from '#lib/testing/oauth/authorize-values'
import {
  consentChange,
  consentCovers,
  consentQuestion,
  decide,
  grantedByRecord,
  withEmail,
  withoutEmail,
} from './consent.ts'
import type { ConsentRecord } from './store.ts'

type Case = { scopes: string[]; client?: Partial<Client>; prompt?: Prompt[] }
const asked = ({ scopes, client = {}, prompt = [] }: Case) => ({
  request: requestFor({ scopes: expandBundle(scopes), prompt }),
  client: clientWith(client),
})
const record = (granted: string[], declined: string[] = [], emailChoice: ConsentRecord['emailChoice'] = 'none') => ({
  granted,
  declined,
  emailChoice,
})

const without = (...names: string[]) => profileScopes.filter((scope) => !names.includes(scope))

describe('a decision', () => {
  const ticked = (scopes: string[], emailChoice?: string) => ({ scopes, emailChoice })
  it.each<[string, Case, { scopes: string[]; emailChoice: string | undefined }, ConsentRecord]>([
    [
      'grants the ticked scopes',
      { scopes: ['openid', 'name', 'gender'] },
      ticked(['name']),
      record(['openid', 'name'], ['gender']),
    ],
    ['always grants openid', { scopes: ['openid'] }, ticked([]), record(['openid'])],
    [
      'cannot grant a scope that was not requested',
      { scopes: ['openid'] },
      ticked(['openid', 'name', 'email', 'x'], 'regular'),
      record(['openid']),
    ],
    [
      'cannot decline a required scope',
      { scopes: ['openid', 'name'], client: { requiredScopes: ['openid', 'name'] } },
      ticked([]),
      record(['openid', 'name']),
    ],
    [
      'shares the address by choice',
      { scopes: ['openid', 'email'] },
      ticked([], 'regular'),
      record(['openid', 'email'], [], 'regular'),
    ],
    [
      'withholds the address by choice',
      { scopes: ['openid', 'email'] },
      ticked(['email'], 'none'),
      record(['openid'], ['email']),
    ],
    [
      'withholds the address without a choice',
      { scopes: ['openid', 'email'] },
      ticked(['email']),
      record(['openid'], ['email']),
    ],
    [
      'withholds the address for an unknown choice',
      { scopes: ['openid', 'email'] },
      ticked([], '"<'),
      record(['openid'], ['email']),
    ],
    [
      'shares a required address',
      { scopes: ['openid', 'email'], client: { email: 'required' } },
      ticked([], 'none'),
      record(['openid', 'email'], [], 'regular'),
    ],
    [
      'hides the address by choice',
      { scopes: ['openid', 'email'] },
      ticked([], 'hidden'),
      record(['openid', 'email'], [], 'hidden'),
    ],
    [
      'hides a required address',
      { scopes: ['openid', 'email'], client: { email: 'required' } },
      ticked([], 'hidden'),
      record(['openid', 'email'], [], 'hidden'),
    ],
    [
      'grants the bundle if all nine scopes are ticked',
      { scopes: ['openid', 'profile'] },
      ticked([...profileScopes]),
      record(['openid', ...profileScopes, 'profile']),
    ],
    [
      'does not grant the bundle if one of the nine scopes is not ticked',
      { scopes: ['openid', 'profile'] },
      ticked(['profile', ...without('gender')]),
      record(['openid', ...without('gender')], ['gender']),
    ],
    [
      'cannot decline a scope of a required bundle',
      { scopes: ['openid', 'profile'], client: { requiredScopes: ['profile'] } },
      ticked([]),
      record(['openid', ...profileScopes, 'profile']),
    ],
  ])('%s', (_, request, sent, expected) => {
    expect(decide(asked(request), undefined, sent)).toEqual(expected)
  })
})

describe('a later decision', () => {
  const before = record(['openid', 'name', 'email'], ['gender'], 'hidden')
  it.each<[string, Case, ConsentRecord, { scopes: string[]; emailChoice?: string }, ConsentRecord]>([
    [
      'adds a new scope and keeps the stored decisions',
      { scopes: ['openid', 'name', 'gender', 'region', 'email'] },
      before,
      { scopes: ['region'] },
      record(['openid', 'name', 'region', 'email'], ['gender'], 'hidden'),
    ],
    [
      'cannot change scopes that the page did not ask about',
      { scopes: ['openid', 'name', 'gender', 'region', 'email'] },
      before,
      { scopes: ['gender'], emailChoice: 'regular' },
      record(['openid', 'name', 'email'], ['gender', 'region'], 'hidden'),
    ],
    [
      'grants a declined scope that has become required',
      { scopes: ['openid', 'gender'], client: { requiredScopes: ['openid', 'gender'] } },
      before,
      { scopes: [] },
      record(['openid', 'name', 'gender', 'email'], [], 'hidden'),
    ],
    [
      'changes every requested scope with prompt=consent, and no other scope',
      { scopes: ['openid', 'name', 'gender'], prompt: ['consent'] },
      before,
      { scopes: ['gender'] },
      record(['openid', 'gender', 'email'], ['name'], 'hidden'),
    ],
    [
      'changes the choice of address with prompt=consent',
      { scopes: ['openid', 'email'], prompt: ['consent'] },
      before,
      { scopes: [], emailChoice: 'regular' },
      record(['openid', 'name', 'email'], ['gender'], 'regular'),
    ],
    [
      'removes the bundle if one of its nine scopes is removed',
      { scopes: ['openid', 'name'], prompt: ['consent'] },
      record(['openid', ...profileScopes, 'profile']),
      { scopes: [] },
      record(['openid', ...without('name')], ['name']),
    ],
    [
      'grants the bundle once all nine scopes are granted',
      { scopes: ['openid', 'profile'] },
      record(['openid', ...without('name')]),
      { scopes: ['name'] },
      record(['openid', ...profileScopes, 'profile']),
    ],
  ])('%s', (_, request, known, { scopes, emailChoice }, expected) => {
    expect(decide(asked(request), known, { scopes, emailChoice })).toEqual(expected)
  })

  it('leaves an unbound address undecided', () => {
    const wish = record(['openid', 'name', 'email'], ['gender'], 'hidden')
    expect(withoutEmail(wish)).toEqual(record(['openid', 'name'], ['gender'], 'none'))
    expect(withEmail(withoutEmail(wish), 'hidden')).toEqual(wish)
    expect(withEmail(record(['openid'], ['email']), 'regular')).toEqual(record(['openid', 'email'], [], 'regular'))
  })

  it.each([
    ['the first', undefined, before, { gained: before.granted, lost: [], emailChanged: false }],
    ['the same again', before, before, { gained: [], lost: [], emailChanged: false }],
    [
      'another',
      before,
      record(['openid', 'email', 'region'], ['gender', 'name'], 'regular'),
      { gained: ['region'], lost: ['name'], emailChanged: true },
    ],
  ])('returns what %s adds and removes', (_, known, after, expected) => {
    expect(consentChange(known, after)).toEqual(expected)
  })
})

describe('any sequence of requests and decisions', () => {
  const scopes = fc.subarray([...knownScopes]).map((some) => expandBundle(['openid', ...some]))
  const kinds = fc.record({
    email: fc.constantFrom('optional' as const, 'required' as const),
    requiredScopes: fc.subarray([...knownScopes].filter((scope) => scope !== 'email')),
  })
  const turn = fc.record({
    scopes,
    client: kinds,
    sent: fc.record({
      scopes: fc.subarray([...knownScopes]),
      emailChoice: fc.constantFrom('regular', 'hidden', 'none', undefined),
    }),
  })

  it('grants no scope beyond the request, none that was declined and all required ones, and asks once', () => {
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1, maxLength: 4 }), (turns) => {
        let known: ConsentRecord | undefined
        for (const { scopes: wanted, client, sent } of turns) {
          const question = asked({ scopes: wanted, client })
          const change = decide(question, known, sent)
          const { settled } = consentQuestion(question, known)
          for (const { name, granted } of settled)
            expect([name, change.granted.includes(name)]).toEqual([name, granted])
          known = change
          const given = grantedByRecord(question.request, known)
          const required = consentQuestion(question, known).scopes.filter((scope) => scope.required)
          expect(consentCovers(question, known)).toBe(true)
          expect(given.filter((scope) => !question.request.scopes.includes(scope))).toEqual([])
          expect(given.filter((scope) => known?.declined.includes(scope))).toEqual([])
          expect(expandBundle(given).filter((scope) => known?.declined.includes(scope))).toEqual([])
          expect(given).toEqual(expect.arrayContaining(required.map(({ name }) => name)))
          expect(given.includes('email')).toBe(known.emailChoice !== 'none' && wanted.includes('email'))
          expect(known.granted.filter((scope) => known?.declined.includes(scope))).toEqual([])
        }
      }),
    )
  })
})
