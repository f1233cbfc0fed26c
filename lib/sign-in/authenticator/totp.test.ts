import { describe, expect, it } from 'vitest'
import { matchTotp, totpAddress, totpCode, totpKey } from './totp.ts'

// RFC 6238 appendix B, SHA-1, the last six of its eight digits.
const secret = Buffer.from('12345678901234567890')

it.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('gives at %i seconds the code %s', (seconds, code) => {
  expect(totpCode(secret, Math.floor(seconds / 30))).toBe(code)
})

describe('matchTotp', () => {
  const now = new Date(1_234_567_890_000)
  const step = Math.floor(1_234_567_890 / 30)

  it('returns the step of the clock or one of its neighbours', () => {
    for (const one of [step - 1, step, step + 1]) expect(matchTotp(secret, totpCode(secret, one), now)).toBe(one)
    for (const one of [step - 2, step + 2]) expect(matchTotp(secret, totpCode(secret, one), now)).toBeUndefined()
  })

  it.each(['005924', '005 924', '00-59-24', '００５９２４', ' 005924 '])('reads %j', (typed) => {
    expect(matchTotp(secret, typed, now)).toBe(step)
  })

  it.each(['', '00592', '0059244', 'abcdef', '5924', '٠٠٥٩٢٤', '\u{1d7ce}'.repeat(3), "' OR 1=1"])(
    'refuses %j',
    (typed) => {
      expect(matchTotp(secret, typed, now)).toBeUndefined()
    },
  )
})

it('names service and person in the address, with any characters', () => {
  const address = totpAddress(secret, { service: 'Ab & C', username: 'ada' })
  expect(address).toBe('otpauth://totp/Ab%20%26%20C:ada?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Ab%20%26%20C')
  expect(totpKey(secret)).toBe('GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ')
})
