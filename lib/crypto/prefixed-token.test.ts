import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { isPrefixedToken, makePrefixedToken } from './prefixed-token.ts'

it('makes tokens that a scanner finds by one pattern', () => {
  const token = makePrefixedToken('postern_team_', randomBytes)
  expect(token).toMatch(/^postern_team_[A-Za-z0-9_-]{46}$/)
  expect(isPrefixedToken('postern_team_', token)).toBe(true)
  expect(isPrefixedToken('postern_client_', token)).toBe(false)
})

it('rejects a token with any changed character', () => {
  const token = makePrefixedToken('p_', randomBytes)
  for (let at = 0; at < token.length; at++) {
    const other = token[at] === 'x' ? 'y' : 'x'
    expect(isPrefixedToken('p_', token.slice(0, at) + other + token.slice(at + 1))).toBe(false)
  }
  for (const text of ['', 'p_', `${token} `, ` ${token}`, token.slice(1), 'é'.repeat(48), `${token}\0`])
    expect(isPrefixedToken('p_', text)).toBe(false)
})
