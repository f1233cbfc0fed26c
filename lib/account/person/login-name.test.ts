import { describe, expect, it } from 'vitest'
import { nameProblem, skeleton } from './login-name.ts'

it.each([
  ['modern', 'modem'],
  ['g00gle', 'google'],
  ['paypa1', 'paypal'],
  ['ada.love', 'ada_love'],
  ['vvanda', 'wanda'],
  ['WILL', 'wi11'],
])('finds %s and %s confusable', (one, other) => {
  expect(skeleton(one)).toBe(skeleton(other))
})

it.each([
  ['ada', 'adam'],
  ['nora', 'mora'],
  ['zoe', 'zoey'],
  ['k8', 'kb'],
])('does not find %s and %s confusable', (one, other) => {
  expect(skeleton(one)).not.toBe(skeleton(other))
})

describe('nameProblem', () => {
  it.each([
    'admin',
    'ADMIN',
    'adm1n',
    'rnoderator',
    'r00t',
    'support',
    'postmaster',
    'security',
    'postern',
    'p0stern',
    'no-reply',
    'no_reply',
    'acme-id',
    'acmeid',
    'acmeid-team',
    'acmeidsupport',
    'the.acmeid',
    'admin1',
    '2admin',
    'the-admin',
    'admin-team',
    'support-team',
    'help-desk',
    'security-alert',
    'root-user',
    'no-reply-1',
  ])('reserves %s', (name) => {
    expect(nameProblem(name, 'Acme ID')).toBe('reserved')
  })

  it.each([
    'ada',
    'ada.l',
    'grace-h',
    'x_y_z',
    '0x3',
    'administer',
    'rooter',
    'guest-of-mary',
    'ali',
    'ali1990',
    'ali-2',
    'ali.me',
    'acmeidak',
    'mary-news',
    'acme-fan',
    'badminton',
    '1234',
  ])('accepts %s', (name) => {
    expect(nameProblem(name, 'Acme ID')).toBeUndefined()
  })

  it.each([
    ['', 'missing'],
    ['ab', 'short'],
    ['a'.repeat(33), 'long'],
    ['-ada', 'characters'],
    ['.ada', 'characters'],
    ['ada lovelace', 'characters'],
    ['аda', 'characters'],
    ['ada\u0000', 'characters'],
    ['ada@example.org', 'characters'],
    ['<b>ada', 'characters'],
    ['エイダ', 'characters'],
    ['a\u200dda', 'characters'],
  ])('finds the problem of %j: %s', (name, problem) => {
    expect(nameProblem(name, 'Acme')).toBe(problem)
  })
})
