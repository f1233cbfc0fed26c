import { describe, expect, it } from 'vitest'
import { preselectedEmail } from './preselected-email.ts'

const person = { email: 'ada@example.com', newAppEmail: 'hidden' } as const
const stranger = { team: { isVerified: false, domains: [] } }
const verified = { team: { isVerified: true, domains: [] } }
const relay = { offersRelay: true }

describe('preselectedEmail', () => {
  it.each(['optional', 'required'] as const)('hides a bound address when it is %s and nothing was chosen', (email) => {
    expect(preselectedEmail({ email, emailChoice: undefined }, person, verified, relay)).toBe('hidden')
  })

  it('keeps an earlier choice, except to share nothing with an app that now requires an address', () => {
    for (const emailChoice of ['none', 'regular', 'hidden'] as const)
      expect(preselectedEmail({ email: 'optional', emailChoice }, person, stranger, relay)).toBe(emailChoice)
    expect(preselectedEmail({ email: 'required', emailChoice: 'none' }, person, stranger, relay)).toBe('hidden')
  })

  it('preselects the regular address, if the person set that, for verified teams only', () => {
    const open = { ...person, newAppEmail: 'regular' } as const
    const question = { email: 'optional', emailChoice: undefined } as const
    expect(preselectedEmail(question, open, verified, relay)).toBe('regular')
    expect(preselectedEmail(question, open, stranger, relay)).toBe('hidden')
  })

  it('preselects the regular address where no relay runs, and keeps an address that is hidden already', () => {
    const service = { offersRelay: false }
    expect(preselectedEmail({ email: 'optional', emailChoice: undefined }, person, stranger, service)).toBe('regular')
    expect(preselectedEmail({ email: 'optional', emailChoice: 'hidden' }, person, stranger, service)).toBe('hidden')
  })

  it('preselects nothing without a bound address, unless the app requires one', () => {
    const unbound = { ...person, email: undefined }
    expect(preselectedEmail({ email: 'optional', emailChoice: undefined }, unbound, verified, relay)).toBe('none')
    expect(preselectedEmail({ email: 'required', emailChoice: undefined }, unbound, verified, relay)).toBe('hidden')
  })
})
