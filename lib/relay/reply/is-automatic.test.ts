import { expect, test } from 'vitest'
import { readFields } from '#lib/relay/mime/header-fields'
import { isAutomatic } from './is-automatic.ts'

const ask = (head: string, mailFrom: string | null = 'alice@example.org') =>
  isAutomatic(mailFrom, readFields(Buffer.from(`${head}\r\n\r\n`)), 'Postmaster@own.example')

test.each([
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
])('a program wrote this: %s', (head) => {
  expect(ask(head)).toBe(true)
})

test('a field that is named as a property of every object says nothing', () => {
  for (const name of ['Constructor', '__proto__']) expect(ask(`${name}: x`)).toBe(false)
})

test.each([null, '', '<>', 'MAILER-DAEMON@example.org', 'postmaster@example.org'])(
  'nobody is the sender: %s',
  (mailFrom) => {
    expect(ask('Subject: Undelivered', mailFrom)).toBe(true)
  },
)

test.each([
  'Subject: Out of office',
  'Auto-Submitted: no',
  'Auto-Submitted: no (a person)',
  'Precedence: first-class',
  'Content-Type: multipart/mixed; boundary=report',
  'X-Auto-Response-Suppress: All',
])('a person wrote this: %s', (head) => {
  expect(ask(head)).toBe(false)
})

test('the owner is somebody, even as postmaster of a domain of their own', () => {
  expect(ask('Subject: Hi', 'postmaster@OWN.example')).toBe(false)
  expect(ask('Auto-Submitted: auto-replied', 'postmaster@own.example')).toBe(true)
})
