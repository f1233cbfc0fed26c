import { expect, it } from 'vitest'
import { closestOf, didYouMean } from './did-you-mean.ts'

const fields = ['client_id', 'name', 'redirect_uris', 'scopes', 'required_scopes']

it.each([
  ['redirect_uri', 'redirect_uris'],
  ['redirect_urls', 'redirect_uris'],
  ['Redirect_URIs', 'redirect_uris'],
  ['scoeps', 'scopes'],
  ['nmae', 'name'],
  ['clientid', 'client_id'],
])('corrects %s to %s', (word, meant) => {
  expect(closestOf(word, fields)).toBe(meant)
})

it.each(['', 'x', 'grant_types', 'a'.repeat(100_000), '__proto__'])('suggests nothing for %.20s', (word) => {
  expect(closestOf(word, fields)).toBeUndefined()
})

it('prefers the closest word', () => {
  expect(closestOf('mery', ['maria', 'mary', 'merry-go'])).toBe('mary')
})

it('asks only when a known word is close', () => {
  expect(didYouMean('scoeps', fields)).toBe(' Did you mean scopes?')
  expect(didYouMean('grant_types', fields)).toBe('')
})
