import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { localPath } from './redirect.ts'

const here = 'https://account.example'

describe('localPath', () => {
  it.each(['/', '/account', '/signin?r=a.b_c&x=%2F%2F', '/a//b#part'])('keeps %s', (path) => {
    expect(localPath(path)).toBe(path)
  })

  it.each([
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    'https://evil.example',
    'account',
    '',
    null,
  ])('replaces %s by the home page', (path) => {
    expect(localPath(path)).toBe('/')
  })

  it('never leaves the host and never breaks a header', () => {
    const hostile = fc.string({ unit: fc.constantFrom('/', '\\', '.', '\t', '\n', '@', ':', 'a', '%', '?', '#', 'é') })
    fc.assert(
      fc.property(hostile, (rest) => {
        const path = localPath(`/${rest}`)
        expect(new URL(path, here).origin).toBe(here)
        expect(path).toMatch(/^[\x21-\x7e]+$/)
      }),
    )
  })
})
