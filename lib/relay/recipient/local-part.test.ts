import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { makeAliasName, readLocalPart, writeLocalPart } from './local-part.ts'

const name = 'abcdefghjkmn'
const reverse = '23456789abcdefghjkmn'
const bounce = `${reverse}${reverse}ab`

it.each([
  [name, { kind: 'alias', name }],
  ['ABCDEFGHJKMN', { kind: 'alias', name }],
  [`r-${reverse}`, { kind: 'reverse', token: reverse }],
  [`R-${reverse.toUpperCase()}`, { kind: 'reverse', token: reverse }],
  [`b-${bounce}`, { kind: 'bounce', token: bounce }],
  ['Postmaster', { kind: 'role', name: 'postmaster' }],
  ['MAILER-DAEMON', { kind: 'role', name: 'mailer-daemon' }],
  ['abuse', { kind: 'role', name: 'abuse' }],
])('parses %s', (text, part) => {
  expect(readLocalPart(text)).toEqual(part)
})

it.each([
  '',
  `${name}+shop`,
  `${name.slice(0, 6)}.${name.slice(6)}`,
  `"${name}"`,
  ` ${name}`,
  `${name}\n`,
  `${name}p`,
  name.slice(1),
  // The lower case of the Kelvin sign is k.
  name.replace('k', '\u212a'),
  `2${name.slice(1)}`,
  'abcdefghijkl',
  `r-${name}`,
  `r-${reverse}2`,
  `b-${reverse}`,
  `x-${reverse}`,
  `-${name}`,
  'postmaster+x',
  'toString',
])('rejects %j', (text) => {
  expect(readLocalPart(text)).toEqual({ kind: 'unknown' })
})

it('accepts every created name and writes every parsed name back in lower case', () => {
  for (let i = 0; i < 200; i++) expect(readLocalPart(makeAliasName(randomBytes)).kind).toBe('alias')
  const text = fc.oneof(
    fc.string(),
    fc.stringMatching(/^(r-|b-)?[2-9a-hjkmnp-zA-Z]{12}$/),
    fc.stringMatching(/^[rRbB]-[2-9a-hjkmnp-z]{20}$/),
    fc.constantFrom('Security', 'noreply', 'HOSTMASTER'),
  )
  fc.assert(
    fc.property(text, (one) => {
      const part = readLocalPart(one)
      if (part.kind !== 'unknown') expect(writeLocalPart(part)).toBe(one.toLowerCase())
    }),
    { numRuns: 500 },
  )
})
