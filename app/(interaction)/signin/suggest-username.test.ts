import { describe, expect, it } from 'vitest'
import { suggestUsername } from './suggest-username.ts'

type Known = Parameters<typeof suggestUsername>[0]

function setUp({ kept, loginHint, hintedSubject, here }: Record<string, string | undefined>): Known {
  return {
    kept: kept === undefined ? {} : { username: kept },
    travelling: { request: { loginHint, hintedSubject } },
    current: here === undefined ? undefined : { person: { username: here } },
  } as unknown as Known
}

describe('suggestUsername', () => {
  it('keeps what was typed, even nothing', () => {
    expect(suggestUsername(setUp({ kept: 'typed', loginHint: 'hinted', here: 'here' }), false)).toBe('typed')
    expect(suggestUsername(setUp({ kept: '', loginHint: 'hinted', here: 'here' }), false)).toBe('')
  })

  it('prefers whom the app expects over who is signed in', () => {
    expect(suggestUsername(setUp({ loginHint: 'hinted', here: 'here' }), false)).toBe('hinted')
    expect(suggestUsername(setUp({ here: 'here' }), false)).toBe('here')
  })

  it('does not offer who is signed in when an ID token names somebody', () => {
    expect(suggestUsername(setUp({ hintedSubject: 'a-subject', here: 'here' }), false)).toBe('')
  })

  it('starts empty for somebody else', () => {
    expect(suggestUsername(setUp({ loginHint: 'hinted', here: 'here' }), true)).toBe('')
  })
})
