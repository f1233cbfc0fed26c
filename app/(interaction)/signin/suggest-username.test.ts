import { describe, expect, it } from 'vitest'
import { suggestUsername } from './suggest-username.ts'

type Known = Parameters<typeof suggestUsername>[1]

function suggest({ kept, loginHint, hintedSubject, here }: Record<string, string | undefined>, other: boolean): string {
  const destination = {
    kind: 'app',
    traveller: { travelling: { request: { loginHint, hintedSubject } } },
    current: here === undefined ? undefined : { person: { username: here } },
  } as unknown as Known
  return suggestUsername(kept === undefined ? {} : { username: kept }, destination, other)
}

describe('suggestUsername', () => {
  it('keeps what was typed, even nothing', () => {
    expect(suggest({ kept: 'typed', loginHint: 'hinted', here: 'here' }, false)).toBe('typed')
    expect(suggest({ kept: '', loginHint: 'hinted', here: 'here' }, false)).toBe('')
  })

  it('prefers whom the app expects over who is signed in', () => {
    expect(suggest({ loginHint: 'hinted', here: 'here' }, false)).toBe('hinted')
    expect(suggest({ here: 'here' }, false)).toBe('here')
  })

  it('does not offer who is signed in when an ID token names somebody', () => {
    expect(suggest({ hintedSubject: 'a-subject', here: 'here' }, false)).toBe('')
  })

  it('starts empty for somebody else', () => {
    expect(suggest({ loginHint: 'hinted', here: 'here' }, true)).toBe('')
  })
})
