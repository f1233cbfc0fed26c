import { describe, expect, it } from 'vitest'
import { suggestUsername } from './suggest-username.ts'

type Known = Parameters<typeof suggestUsername>[1]

function suggest(
  { kept, loginHint, hintedSubject, here, who = '' }: Record<string, string | undefined>,
  other: boolean,
  remembered: string[] = [],
): string {
  const destination = {
    kind: 'app',
    interaction: { flow: { request: { loginHint, hintedSubject } } },
    current: here === undefined ? undefined : { person: { username: here } },
  } as unknown as Known
  const faces = remembered.map((username) => ({ username, mark: `mark of ${username}` }))
  return suggestUsername(kept === undefined ? {} : { username: kept }, destination, { other, who, remembered: faces })
}

describe('suggestUsername', () => {
  it('keeps the typed value, even an empty one', () => {
    expect(suggest({ kept: 'typed', loginHint: 'hinted', here: 'here' }, false)).toBe('typed')
    expect(suggest({ kept: '', loginHint: 'hinted', here: 'here' }, false)).toBe('')
  })

  it('prefers the login_hint over the signed-in person', () => {
    expect(suggest({ loginHint: 'hinted', here: 'here' }, false)).toBe('hinted')
    expect(suggest({ here: 'here' }, false)).toBe('here')
  })

  it('does not suggest the signed-in person when an id_token_hint names a person', () => {
    expect(suggest({ hintedSubject: 'a-subject', here: 'here' }, false)).toBe('')
  })

  it('suggests the chosen face, also for another account, and the only remembered one', () => {
    expect(suggest({ who: 'mark of bea', loginHint: 'hinted', here: 'here' }, true, ['ada', 'bea'])).toBe('bea')
    expect(suggest({ who: 'mark of bea', kept: 'typed' }, false, ['bea'])).toBe('typed')
    expect(suggest({}, false, ['ada'])).toBe('ada')
    expect(suggest({}, false, ['ada', 'bea'])).toBe('')
    expect(suggest({ who: 'mark of nobody' }, true, ['ada'])).toBe('')
    expect(suggest({ here: 'here' }, false, ['ada'])).toBe('here')
    expect(suggest({ hintedSubject: 'a-subject' }, false, ['ada'])).toBe('')
  })

  it('suggests nothing when the person chose another account', () => {
    expect(suggest({ loginHint: 'hinted', here: 'here' }, true)).toBe('')
  })
})
