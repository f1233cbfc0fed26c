import { expect, test } from 'vitest'
import { readFields } from './header-fields.ts'
import { isDeliveryReport } from './is-delivery-report.ts'

const isOne = (head: string) => isDeliveryReport(readFields(Buffer.from(`From: a@b.example\r\n${head}\r\n\r\n`)))

test.each([
  'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
  'Content-type: Multipart/Report;\r\n\tboundary="b";\r\n\tREPORT-TYPE = "Delivery-Status"',
  'Content-Type: multipart/report; report-type=global-delivery-status; boundary=b',
  'Content-Type: message/delivery-status',
  'X-Failed-Recipients: ada@example.org',
])('a delivery report: %j', (head) => {
  expect(isOne(head)).toBe(true)
})

test.each([
  'Content-Type: text/plain',
  'Content-Type: multipart/report; report-type=disposition-notification; boundary=b',
  'Content-Type: multipart/mixed; boundary="report-type=delivery-status"',
  'Subject: multipart/report; report-type=delivery-status',
  'X-Failed-Recipients:',
])('none: %j', (head) => {
  expect(isOne(head)).toBe(false)
})
