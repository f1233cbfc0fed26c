import { describe, expect, it } from 'vitest'
import { isSensitive, splitApiScopes, splitAppScopes } from './sensitive-scopes.ts'

describe('the sensitive scopes of an app', () => {
  it.each([
    [['openid', 'name'], [], []],
    [['openid', 'gender'], [], ['gender']],
    [
      ['openid', 'gender', 'region', 'birthdate'],
      ['openid', 'region'],
      ['gender', 'birthdate'],
    ],
    [['openid', 'profile'], ['openid'], ['profile']],
    // The bundle contains each of them, and all of them are the bundle.
    [['openid', 'gender'], ['openid', 'profile'], []],
    [['openid', 'profile'], ['openid', 'gender', 'region', 'birthdate'], []],
    [['openid', 'profile'], ['openid', 'gender', 'region'], ['profile']],
  ])('of %j, while %j are allowed, lets %j wait', (declared, allowed, waiting) => {
    const split = splitAppScopes(declared, allowed)
    expect(split.waitingScopes).toEqual(waiting)
    expect(split.scopes).toEqual(declared.filter((scope) => !waiting.includes(scope)))
  })

  it('are region, gender, birthdate and the bundle', () => {
    expect(['region', 'gender', 'birthdate', 'profile'].every(isSensitive)).toBe(true)
    expect(['openid', 'name', 'email', 'locale', 'picture'].some(isSensitive)).toBe(false)
  })
})

describe('the sensitive scopes of an API', () => {
  const before = { scopes: ['read'], waitingScopes: ['write'] }

  it.each([
    [['read', 'write'], [], undefined, []],
    [['read', 'write'], ['write'], undefined, ['write']],
    [['read', 'write'], ['read'], before, ['write']],
    [['read', 'admin'], ['admin'], before, ['admin']],
    [['read', 'admin'], [], before, []],
  ] as const)('of %j, with %j marked, lets the new ones wait (%j)', (declared, marked, known, waiting) => {
    const given = known && { scopes: [...known.scopes], waitingScopes: [...known.waitingScopes] }
    expect(splitApiScopes(declared, marked, given).waitingScopes).toEqual(waiting)
  })
})
