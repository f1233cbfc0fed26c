import { expect, it } from 'vitest'
import { nextSafetyStep } from './next-safety-step.ts'

const bare = { passkeys: 0, hasTotp: false, codesLeft: undefined, hasEmail: false }

it.each([
  ['email', bare],
  ['passkey', { ...bare, hasEmail: true }],
  ['passkey', { ...bare, hasEmail: true, hasTotp: true, codesLeft: 10 }],
  ['codes', { ...bare, hasEmail: true, passkeys: 1 }],
  ['more_codes', { ...bare, hasEmail: true, passkeys: 1, codesLeft: 2 }],
  ['email', { ...bare, passkeys: 1, codesLeft: 10 }],
  [undefined, { ...bare, hasEmail: true, passkeys: 1, codesLeft: 10 }],
] as const)('names the step %s for %j', (step, protection) => {
  expect(nextSafetyStep(protection)).toBe(step)
})
