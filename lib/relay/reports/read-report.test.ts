import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeBounce } from './judge-bounce.ts'
import { readReport } from './read-report.ts'

const crlf = (text: string) => Buffer.from(text.replace(/\r?\n/g, '\r\n'), 'latin1')
const report = (status: string, rest = '') =>
  crlf(`From: MAILER-DAEMON@mx.example
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
\tboundary="=_b"

--=_b
Content-Type: text/plain

I'm sorry. 550 5.7.26 is not what this is about.

--=_b
Content-Type: message/delivery-status

${status}
--=_b
Content-Type: message/rfc822

Subject: before
Content-Type: multipart/mixed; boundary=in

--in
Content-Type: message/delivery-status

Reporting-MTA: dns; inner.example

Action: failed
Status: 5.1.2
--in--
--=_b--
${rest}`)

describe('a delivery report', () => {
  it('is parsed from Postfix with folded lines and groups', async () => {
    const status = `Reporting-MTA: dns; mx.example
X-Postfix-Queue-ID: 4Z1
Arrival-Date: Fri, 20 Nov 2026 10:00:00 +0000

Final-Recipient: rfc822; ada@example.org
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1
    <ada@example.org>: unknown
`
    expect(await readReport(report(status))).toEqual({ action: 'failed', status: '5.1.1' })
  })

  it.each<[string, string, object | undefined]>([
    [
      'of Exim, which reports only the status class',
      'Action: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 550 5.2.1 off',
      { action: 'failed', status: '5.2.1' },
    ],
    [
      'of Exim with a remote server without enhanced codes',
      'Action: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 550 no',
      { action: 'failed', status: '5.0.0' },
    ],
    [
      'about a delay that quotes a permanent reply',
      'Action: delayed\nStatus: 4.0.0\nDiagnostic-Code: smtp; 550 5.1.1 x',
      { action: 'delayed', status: '4.0.0' },
    ],
    [
      'with a comment, in capitals',
      'ACTION: Failed (for good)\nSTATUS: 5.1.10 (null MX)',
      { action: 'failed', status: '5.1.10' },
    ],
    ['without an action', 'Status: 4.4.1', { action: 'delayed', status: '4.4.1' }],
    [
      'about two recipients, one of them failed',
      'Action: delayed\nStatus: 4.4.1\n\nAction: failed\nStatus: 5.2.2',
      { action: 'failed', status: '5.2.2' },
    ],
    ['about a success', 'Action: delivered\nStatus: 2.1.5', { action: 'delivered', status: '2.1.5' }],
    ['without action and status', 'Final-Recipient: rfc822; a@b.example', undefined],
    ['with an invalid detail in the status', 'Action: failed\nStatus: 5.1.1111', undefined],
    ['with an invalid class in the status', 'Action: failed\nStatus: 9.1.1', undefined],
  ])('is parsed: %s', async (_, group, expected) => {
    expect(await readReport(report(`Reporting-MTA: dns; mx\n\n${group}\n`))).toEqual(expected)
  })

  it('is parsed for UTF-8 addresses and with a truncated quote', async () => {
    const whole = report('Reporting-MTA: dns; mx\n\nAction: failed\nStatus: 5.1.1\n', 'x'.repeat(400_000))
    const global = Buffer.from(
      whole.toString('latin1').replace('message/delivery-status', 'message/global-delivery-status'),
      'latin1',
    )
    expect(await readReport(global)).toEqual({ action: 'failed', status: '5.1.1' })
    expect(await readReport(whole.subarray(0, whole.indexOf('message/rfc822') + 40))).toMatchObject({ status: '5.1.1' })
  })
})

describe('a report in free text', () => {
  const text = (body: string) => crlf(`From: MAILER-DAEMON@mx.example\nContent-Type: text/plain\n\n${body}\n`)
  it.each([
    ['Hi. This is the qmail-send program.\nRemote host said: 550 5.1.1 <ada>: no such user', '5.1.1', 'failed'],
    ['Sorry, no mailbox here by that name. (#5.1.1)', '5.1.1', 'failed'],
    ['the server said: 550-5.2.1 The account is off', '5.2.1', 'failed'],
    ['451 4.7.1 try again', '4.7.1', 'delayed'],
  ])('is parsed by the reply it quotes: %j', async (body, status, action) => {
    expect(await readReport(text(body))).toEqual({ action, status })
  })

  it.each([
    'I am on holiday until Monday.',
    'Please upgrade to 5.1.1 soon.',
    'Your server is 5.1.1.4, I have 550 5.1.1.4 of them.',
    'Room 1550 5.1.1',
    '550 4.1.1',
  ])('has no result for: %s', async (body) => {
    expect(await readReport(text(body))).toBeUndefined()
  })
})

it('ignores a quoted message and text far below the start', async () => {
  const quoted = crlf(`Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain

I am on holiday.
--b
Content-Type: message/rfc822

Content-Type: text/plain

550 5.1.1 nobody
--b--
`)
  expect(await readReport(quoted)).toBeUndefined()
  expect(await readReport(crlf(`A: b\n\n${'x\n'.repeat(100_000)}550 5.1.1 nobody\n`))).toBeUndefined()
})

it('parses any input without an error', async () => {
  const deep = Array.from(
    { length: 100 },
    (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
  ).join('')
  expect(await readReport(Buffer.from(deep))).toBeUndefined()
  const piece = fc.constantFrom(
    '--=_b\r\n',
    'Content-Type: message/delivery-status\r\n',
    '\r\n',
    'Status: 5.1.1\r\n',
    'Action:',
    ':',
    '\0',
    '=?x?q?',
    'a',
  )
  const start = 'Content-Type: multipart/report; boundary="=_b"\r\n\r\n'
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
      const found = await readReport(Buffer.from(start + pieces.join('')))
      expect(found?.status ?? '5.1.1').toBe('5.1.1')
    }),
  )
})

it.each([
  ['hard', '5.1.0 5.1.1 5.1.2 5.1.3 5.1.6 5.1.10 5.2.1'],
  ['policy', '5.7.0 5.7.1 5.7.26'],
  ['other', '5.0.0 5.1.5 5.1.7 5.1.8 5.2.0 5.2.2 5.2.10 5.4.6 5.12.1'],
  ['not failed', '4.1.1 4.2.1 2.1.5'],
])('judges as %s the codes %s', (verdict, codes) => {
  const judged = codes.split(' ').map((status) => [status, judgeBounce({ action: 'failed', status })])
  expect(judged).toEqual(codes.split(' ').map((status) => [status, verdict]))
})

it.each(['delayed', 'relayed', 'expanded', 'delivered'] as const)(
  'does not count %s as failed, with any code',
  (action) => {
    expect(judgeBounce({ action, status: '5.1.1' })).toBe('not failed')
  },
)
