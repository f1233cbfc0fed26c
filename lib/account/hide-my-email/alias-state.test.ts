import { expect, test } from 'vitest'
import { aliasState } from './alias-state.ts'
import type { OwnAlias } from './store.ts'

const at = new Date('2026-11-20T10:00:00Z')
const app = { id: 'acme-web', name: 'Acme Web', team: 'Acme', logoFile: undefined, disabled: false }
const counts = { forwarded: 0, blocked: 0, replied: 0, lastMailAt: undefined }
const open: OwnAlias = { name: 'k7m', app, emailChoice: 'hidden', since: at, disabledAt: undefined, ...counts }
const owner = { email: 'ada@example.org', mailPausedAt: undefined, deleteAfter: undefined }

test('an address takes mail while an app is given one of the two', () => {
  expect(aliasState(open, owner)).toEqual({ kind: 'on' })
  expect(aliasState({ ...open, emailChoice: 'regular' }, owner)).toEqual({ kind: 'on' })
})

test.each<[string, Partial<OwnAlias>]>([
  ['app_gone', { app: undefined }],
  ['sharing_stopped', { emailChoice: undefined }],
  ['email_not_shared', { emailChoice: 'none' }],
  ['app_disabled', { app: { ...app, disabled: true } }],
])('it is closed for good reason: %s, switched off or not', (why, change) => {
  for (const disabledAt of [undefined, at])
    expect(aliasState({ ...open, ...change, disabledAt }, owner)).toEqual({ kind: 'closed', why })
})

test('while an account is on its way out it is closed', () => {
  expect(aliasState(open, { ...owner, deleteAfter: at })).toEqual({ kind: 'closed', why: 'leaving' })
})

test('what its owner switched off is off, whatever becomes of the inbox', () => {
  const off = { ...open, disabledAt: at }
  expect(aliasState(off, owner)).toEqual({ kind: 'off', since: at })
  expect(aliasState(off, { ...owner, email: undefined, mailPausedAt: at })).toEqual({ kind: 'off', since: at })
})

test('without an inbox, or with one that sends mail back, senders wait', () => {
  expect(aliasState(open, { ...owner, email: undefined })).toEqual({ kind: 'unbound' })
  expect(aliasState(open, { ...owner, mailPausedAt: at })).toEqual({ kind: 'paused' })
})
