import { expect, it } from 'vitest'
import { readFields } from '#lib/relay/mime/header-fields'
import { isDeliveryReport } from './read-report.ts'

const isOne = (head: string, mailFrom = 'a@b.example') =>
  isDeliveryReport(readFields(Buffer.from(`${head}\r\n\r\n`)), mailFrom)

it.each([
  'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
  'Content-type: Multipart/Report;\r\n\tboundary="b";\r\n\tREPORT-TYPE = "Delivery-Status"',
  'Content-Type: multipart/report; report-type=global-delivery-status; boundary=b',
  "Content-Type: multipart/report; report-type*=us-ascii''delivery-status; boundary=b",
  'Content-Type: (a report) multipart/report; report-type="delivery\\-status"; boundary=b',
  'Content-Type: multipart/report; boundary=b',
  'Content-Type: message/delivery-status',
  'X-Failed-Recipients: ada@example.org',
])('recognizes a delivery report: %j', (head) => {
  expect(isOne(head)).toBe(true)
})

it.each([
  'Content-Type: text/plain',
  'Content-Type: multipart/report; report-type=disposition-notification; boundary="report-type=delivery-status"',
  'Content-Type: multipart/mixed; boundary="report-type=delivery-status"',
  'Subject: multipart/report; report-type=delivery-status',
  'X-Failed-Recipients: none',
])('recognizes no delivery report: %j', (head) => {
  expect(isOne(head)).toBe(false)
})

it('recognizes a report in plain words by its author together with the null sender', () => {
  const head = 'From: Mail Delivery System <MAILER-DAEMON@mx.example>\r\nSubject: failure notice'
  expect([isOne(head, ''), isOne(head, 'mailer-daemon@mx.example')]).toEqual([true, false])
  expect(isOne('From: Shop <news@shop.example>', '')).toBe(false)
})
