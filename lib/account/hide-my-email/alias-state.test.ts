import { expect, it } from 'vitest'
import { aliasState } from './alias-state.ts'
import type { OwnAlias } from './store.ts'

const at = new Date('2026-11-20T10:00:00Z')
const app = { id: 'acme-web', name: 'Acme Web', team: 'Acme', names: {}, logoFile: undefined, disabled: false }
const counts = { forwarded: 0, blocked: 0, replied: 0, lastMailAt: undefined }
const open: OwnAlias = {
  name: 'k7m',
  byHand: false,
  app,
  emailChoice: 'hidden',
  label: '',
  note: '',
  since: at,
  disabledAt: undefined,
  ...counts,
}
const owner = { email: 'ada@example.org', mailPausedAt: undefined, deleteAfter: undefined }

it('is on while the app is given either address', () => {
  expect(aliasState(open, owner)).toEqual({ kind: 'on' })
  expect(aliasState({ ...open, emailChoice: 'regular' }, owner)).toEqual({ kind: 'on' })
})

it.each<[string, Partial<OwnAlias>]>([
  ['app_gone', { app: undefined }],
  ['sharing_stopped', { emailChoice: undefined }],
  ['email_not_shared', { emailChoice: 'none' }],
  ['app_disabled', { app: { ...app, disabled: true } }],
])('is closed with the reason %s, also when it is switched off', (why, change) => {
  for (const disabledAt of [undefined, at])
    expect(aliasState({ ...open, ...change, disabledAt }, owner)).toEqual({ kind: 'closed', why })
})

it('is closed while a deletion is pending', () => {
  expect(aliasState(open, { ...owner, deleteAfter: at })).toEqual({ kind: 'closed', why: 'leaving' })
})

it('is off when its owner switched it off, also without a bound address', () => {
  const off = { ...open, disabledAt: at }
  expect(aliasState(off, owner)).toEqual({ kind: 'off', since: at })
  expect(aliasState(off, { ...owner, email: undefined, mailPausedAt: at })).toEqual({ kind: 'off', since: at })
})

it('is unbound without an address, and paused when mail bounced', () => {
  expect(aliasState(open, { ...owner, email: undefined })).toEqual({ kind: 'unbound' })
  expect(aliasState(open, { ...owner, mailPausedAt: at })).toEqual({ kind: 'paused' })
})

it('closes an address made by hand only with the account', () => {
  const byHand: OwnAlias = { ...open, byHand: true, app: undefined, emailChoice: undefined, label: 'Shop' }
  expect(aliasState(byHand, owner)).toEqual({ kind: 'on' })
  expect(aliasState({ ...byHand, disabledAt: at }, owner)).toEqual({ kind: 'off', since: at })
  expect(aliasState(byHand, { ...owner, email: undefined })).toEqual({ kind: 'unbound' })
  expect(aliasState(byHand, { ...owner, mailPausedAt: at })).toEqual({ kind: 'paused' })
  expect(aliasState(byHand, { ...owner, deleteAfter: at })).toEqual({ kind: 'closed', why: 'leaving' })
})
