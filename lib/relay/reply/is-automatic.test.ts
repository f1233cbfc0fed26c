import { expect, it } from 'vitest'
import { readFields } from '#lib/relay/mime/header-fields'
import { isAutomatic } from './is-automatic.ts'

const ask = (head: string, mailFrom: string | null = 'alice@example.org') =>
  isAutomatic(mailFrom, readFields(Buffer.from(`${head}\r\n\r\n`)), 'Postmaster@own.example')

it.each([
  'Auto-Submitted: auto-replied',
  'auto-submitted: auto-generated; type=vacation',
  'Auto-Submitted:',
  'Precedence: bulk',
  'Precedence: auto_reply',
  'X-Autoreply: yes',
  'X-Autorespond: Out of office',
  'X-MS-Exchange-Inbox-Rules-Loop: alice@example.org',
  'Return-Path: <>',
  'Content-Type: multipart/report; report-type=disposition-notification; boundary=b',
  'Content-Type: multipart/report;\r\n report-type=delivery-status; boundary=b',
  'Content-Type: message/disposition-notification',
])('recognises an automatic message by %s', (head) => {
  expect(ask(head)).toBe(true)
})

it('ignores a field named like a property of Object.prototype', () => {
  for (const name of ['Constructor', '__proto__']) expect(ask(`${name}: x`)).toBe(false)
})

it.each([null, '', '<>', 'MAILER-DAEMON@example.org', 'postmaster@example.org'])(
  'classifies a message from the envelope sender %s as automatic',
  (mailFrom) => {
    expect(ask('Subject: Undelivered', mailFrom)).toBe(true)
  },
)

it.each([
  'Subject: Out of office',
  'Auto-Submitted: no',
  'Auto-Submitted: no (a person)',
  'Precedence: first-class',
  'Content-Type: multipart/mixed; boundary=report',
  'X-Auto-Response-Suppress: All',
])('classifies a message with the field %s as written by a person', (head) => {
  expect(ask(head)).toBe(false)
})

it('classifies a message from the owner as written by a person even if the address is postmaster@', () => {
  expect(ask('Subject: Hi', 'postmaster@OWN.example')).toBe(false)
  expect(ask('Auto-Submitted: auto-replied', 'postmaster@own.example')).toBe(true)
})
