import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clientWith, requestFor } from '#lib/testing/authorize-values'
import type { Client } from '../client.ts'
import { expandBundle, knownScopes, profileScopes } from '../scope.ts'
import {
  type ConsentRecord,
  consentCovers,
  consentQuestion,
  grantedByRecord,
  mergeDecision,
  readDecision,
} from './consent.ts'

type Case = { scopes: string[]; client?: Partial<Client> }
const asked = ({ scopes, client = {} }: Case) => ({
  request: requestFor({ scopes: expandBundle(scopes) }),
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
  test.each<[string, Case, { scopes: string[]; emailChoice: string | undefined }, ConsentRecord]>([
    [
      'grants what is ticked',
      { scopes: ['openid', 'name', 'gender'] },
      ticked(['name']),
      record(['openid', 'name'], ['gender']),
    ],
    ['grants openid always', { scopes: ['openid'] }, ticked([]), record(['openid'])],
    [
      'cannot grant what was not asked',
      { scopes: ['openid'] },
      ticked(['openid', 'name', 'email', 'x'], 'regular'),
      record(['openid']),
    ],
    [
      'cannot keep back what is required',
      { scopes: ['openid', 'name'], client: { requiredScopes: ['openid', 'name'] } },
      ticked([]),
      record(['openid', 'name']),
    ],
    [
      'gives the address by choice',
      { scopes: ['openid', 'email'] },
      ticked([], 'regular'),
      record(['openid', 'email'], [], 'regular'),
    ],
    [
      'keeps the address by choice',
      { scopes: ['openid', 'email'] },
      ticked(['email'], 'none'),
      record(['openid'], ['email']),
    ],
    [
      'keeps the address without a choice',
      { scopes: ['openid', 'email'] },
      ticked(['email']),
      record(['openid'], ['email']),
    ],
    [
      'keeps it for a choice nobody knows',
      { scopes: ['openid', 'email'] },
      ticked([], '"<'),
      record(['openid'], ['email']),
    ],
    [
      'gives an address that is required',
      { scopes: ['openid', 'email'], client: { email: 'required' } },
      ticked([], 'none'),
      record(['openid', 'email'], [], 'regular'),
    ],
    [
      'keeps the bundle when all nine are ticked',
      { scopes: ['openid', 'profile'] },
      ticked([...profileScopes]),
      record(['openid', 'profile', ...profileScopes]),
    ],
    [
      'loses the bundle when one is not',
      { scopes: ['openid', 'profile'] },
      ticked(['profile', ...without('gender')]),
      record(['openid', ...without('gender')], ['gender']),
    ],
    [
      'cannot keep back a part of a required bundle',
      { scopes: ['openid', 'profile'], client: { requiredScopes: ['profile'] } },
      ticked([]),
      record(['openid', 'profile', ...profileScopes]),
    ],
  ])('%s', (_, request, sent, expected) => {
    expect(readDecision(asked(request), sent)).toEqual(expected)
  })

  test('changes only what was asked about', () => {
    const before = record(['openid', 'name', 'email'], ['gender'], 'regular')
    expect(mergeDecision(before, ['openid', 'gender', 'region'], record(['openid', 'gender'], ['region']))).toEqual(
      record(['name', 'email', 'openid', 'gender'], ['region'], 'regular'),
    )
  })

  test('takes the bundle of an earlier grant away with one of its nine', () => {
    const before = record(['openid', 'profile', ...profileScopes])
    const { granted } = mergeDecision(before, ['openid', 'name'], record(['openid'], ['name']))
    expect([...granted].sort()).toEqual(['openid', ...without('name')].sort())
  })
})

describe('whatever is asked and answered, again and again', () => {
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
      emailChoice: fc.constantFrom('regular', 'none', undefined),
    }),
  })

  test('nobody gets more than was asked, nor what was declined, nor less than is required; and is not asked twice', () => {
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1, maxLength: 4 }), (turns) => {
        let known: ConsentRecord | undefined
        for (const { scopes: wanted, client, sent } of turns) {
          const question = asked({ scopes: wanted, client })
          known = mergeDecision(known, question.request.scopes, readDecision(question, sent))
          const given = grantedByRecord(question.request, known)
          const required = consentQuestion(question, known).scopes.filter((scope) => scope.required)
          expect(consentCovers(question, known)).toBe(true)
          expect(given.filter((scope) => !question.request.scopes.includes(scope))).toEqual([])
          expect(given.filter((scope) => known?.declined.includes(scope))).toEqual([])
          expect(expandBundle(given).filter((scope) => known?.declined.includes(scope))).toEqual([])
          expect(given).toEqual(expect.arrayContaining(required.map(({ name }) => name)))
          expect(given.includes('email')).toBe(known.emailChoice === 'regular' && wanted.includes('email'))
          expect(known.granted.filter((scope) => known?.declined.includes(scope))).toEqual([])
        }
      }),
    )
  })
})
