import { expect, it } from 'vitest'
import { safetyOf } from './safety.ts'
import type { Ways } from './store.ts'

const now = new Date()
const passkey = {} as Ways['passkeys'][number]
const nothing: Ways = { password: { setAt: now }, email: false, passkeys: [], totpSince: undefined, codes: undefined }
const codes = (left: number) => ({ left, madeAt: now })
const all: Ways = { ...nothing, email: true, passkeys: [passkey], totpSince: now, codes: codes(10) }

it.each<[string, Partial<Ways>, string | undefined]>([
  ['nothing more than a password', nothing, 'codes'],
  ['an address only', { ...nothing, email: true }, 'passkey'],
  ['codes only', { ...nothing, codes: codes(10) }, 'passkey'],
  ['a password alone beside the passkey', { totpSince: undefined }, 'secondStep'],
  ['no recovery codes', { codes: undefined }, 'codes'],
  ['few recovery codes', { codes: codes(2) }, 'codes'],
  ['no address', { email: false }, 'email'],
  ['no address and no codes left', { email: false, codes: codes(0) }, 'codes'],
  ['everything', {}, undefined],
  ['passkeys without a password', { password: undefined, totpSince: undefined }, undefined],
])('names the next step for an account with %s', (_, ways, next) => {
  expect(safetyOf({ ...all, ...ways }).next).toBe(next)
})

it('says when nothing leads back into the account', () => {
  expect(safetyOf(nothing).isStuck).toBe(true)
  expect(safetyOf({ ...nothing, codes: codes(1) }).isStuck).toBe(false)
  expect(safetyOf({ ...nothing, email: true }).isStuck).toBe(false)
})
