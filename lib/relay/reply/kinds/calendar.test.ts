import { describe, expect, it } from 'vitest'
import { RefusedPart } from '#lib/relay/reply/reply-refusal'
import { rewriteCalendar } from './calendar.ts'

const rules = {
  hide: (text: string) => text.replaceAll('alice@example.org', 'b7kq3mzt9xpd@relay.example'),
  alias: 'b7kq3mzt9xpd@relay.example',
  reverse: 'r-abcdefghjkmnpqrstuvw@relay.example',
  to: 'orders@app.example',
}
const entry = (method: string, ...lines: string[]) =>
  [
    'BEGIN:VCALENDAR',
    'PRODID:-//Alice’s Mac//EN',
    'VERSION:2.0',
    `METHOD:${method}`,
    'BEGIN:VEVENT',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')
const written = (...lines: string[]) =>
  rewriteCalendar(entry('REPLY', ...lines), rules)
    ?.text.split('\r\n')
    .slice(5, -3)

describe('an answer to an invitation', () => {
  it('is from the relay address to the app and contains no other address', () => {
    const text = entry(
      'REPLY',
      'UID:meeting-7@app.example',
      'DTSTAMP:20261121T081500Z',
      'ORGANIZER;CN="Orders";EMAIL=x@app.example:mailto:r-abcdefghjkmnpqrstuvw@relay.example',
      'ATTENDEE;CN="Alice, at home";PARTSTAT=ACCEPTED;X-GUEST="a:b";SENT-BY="mailto:secretary@example.org":MAILTO:Alice@',
      '  Example.org',
      'X-MICROSOFT-CDO-OWNERAPPTID:2118437',
      'SUMMARY:For alice@example.org',
      'BEGIN:VALARM',
      'ATTENDEE:mailto:alice@example.org',
      'END:VALARM',
    )
    expect(rewriteCalendar(text, rules)).toMatchObject({
      method: 'REPLY',
      text: [
        ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Postern//Relay//EN', 'METHOD:REPLY', 'BEGIN:VEVENT'],
        ...['UID:meeting-7@app.example', 'DTSTAMP:20261121T081500Z', 'ORGANIZER:mailto:orders@app.example'],
        ...['ATTENDEE;PARTSTAT=ACCEPTED:mailto:b7kq3mzt9xpd@relay.example', 'END:VEVENT', 'END:VCALENDAR', ''],
      ].join('\r\n'),
    })
  })

  it('is from the relay address when the program uses another address of the person', () => {
    const other = 'ATTENDEE;PARTSTAT=DECLINED:mailto:alice@work.example'
    for (const attendees of [[other], [other, 'ATTENDEE;PARTSTAT=ACCEPTED:mailto:carol@example.com']])
      expect(written(...attendees)).toEqual(['ATTENDEE;PARTSTAT=DECLINED:mailto:b7kq3mzt9xpd@relay.example'])
  })

  it('drops a text of the invitation that looks like a date, and joins folded lines', () => {
    expect(written('SUMMARY:20261201T100000', 'UID:meeting-7@', '  app.example')).toEqual([
      'UID:meeting-7@ app.example',
    ])
  })

  it('reveals nothing through names that the app planted in the invitation', () => {
    const known = { ...rules, own: { isEntry: (uid: string) => /^(alice@example\.org|bob@example\.com)$/.test(uid) } }
    const answer = (planted: string) =>
      entry(
        'REPLY',
        ...['UID', 'SUMMARY', 'DESCRIPTION', 'LOCATION', 'CONTACT', 'STATUS'].map((name) => `${name}:${planted}`),
        ...[`ORGANIZER;CN=${planted}:mailto:${planted}`, `DTSTART;TZID=${planted}:20261201T100000`],
        `ATTENDEE;CN=${planted};ROLE=${planted};PARTSTAT=ACCEPTED:mailto:${planted}`,
        'ATTENDEE;PARTSTAT=DECLINED:mailto:carol@example.com',
      )
    const rewritten = (planted: string) => rewriteCalendar(answer(planted), known)?.text.replaceAll(planted, 'guess')
    expect(rewritten('alice@example.org')).toBe(rewritten('bob@example.com'))
    expect(rewritten('alice@example.org')).toContain('UID:guess')
    expect(rewriteCalendar(answer('alice@example.org'), known)?.judged).not.toContain('alice')
    expect(rewriteCalendar(answer('alice@example.org'), rules)?.text).not.toContain('alice')
  })

  it('keeps dates in well-known time zones', () => {
    for (const zone of ['Asia/Tokyo', 'W. Europe Standard Time'])
      expect(written(`RECURRENCE-ID;TZID=${zone}:20261201T100000`)).toEqual([
        `RECURRENCE-ID;TZID=${zone}:20261201T100000`,
      ])
    expect(written('DTSTART;TZID=Alice at example dot org Standard Time:20261201T100000')).toEqual([
      'DTSTART:20261201T100000',
    ])
  })

  it('folds lines at 75 bytes without splitting a character', () => {
    const [...lines] = written(`COMMENT:${'Grüße '.repeat(40)}`) ?? []
    expect(lines.length).toBeGreaterThan(3)
    for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    expect(lines.map((line, at) => (at === 0 ? line : line.slice(1))).join('')).toBe(`COMMENT:${'Grüße '.repeat(40)}`)
  })

  it.each([
    ['does not end', 'BEGIN:VCALENDAR\r\nMETHOD:REPLY\r\n'],
    ['ends twice', `${entry('REPLY')}END:VCALENDAR\r\nMETHOD:REPLY\r\n`],
    ['is none', 'METHOD:REPLY\r\n'],
    ['has an unknown method', entry('RE PLY')],
  ])('is refused when it %s', (_, text) => {
    expect(() => rewriteCalendar(text, rules)).toThrow(RefusedPart)
  })
})

it('treats an entry without a method as a file', () => {
  expect(rewriteCalendar(entry('REPLY').replace('METHOD:REPLY\r\n', ''), rules)).toBeUndefined()
})
