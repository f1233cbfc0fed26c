import { RefusedPart } from '../reply-refusal.ts'

export type CalendarRules = {
  hide(text: string): string
  /** The address the app has for the person, and the one the person has for the app. */
  alias: string
  reverse: string
  /** The app's own address. */
  to: string
}

/**
 * Returns a message about a calendar entry (RFC 5546) written anew: the person is the relay address, and nothing is left that
 * names the person's program, machine or other addresses. Undefined for an entry that is sent as a file, without a method.
 */
export function rewriteCalendar(text: string, rules: CalendarRules): { method: string; text: string } | undefined {
  const lines = unfold(text)
  const method = lines
    .find(({ name }) => name === 'METHOD')
    ?.value.trim()
    .toUpperCase()
  if (method === undefined) return undefined
  if (!/^[A-Z-]{1,20}$/.test(method)) throw new RefusedPart('calendar')
  const kept = keepKnown(lines)
  const answers = new Set(['REPLY', 'REFRESH']).has(method)
  const written = kept.flatMap((line) => rewriteLine(line, rules, answers) ?? [])
  return { method, text: `${written.map(fold).join('\r\n')}\r\n` }
}

type Line = { name: string; parameters: string; value: string }

const contentLine = /^([A-Za-z0-9-]+)((?:;[A-Za-z0-9-]+=(?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*)*):(.*)$/s

/** The lines that can be read (RFC 5545 §3.1); the others are left out. */
function unfold(text: string): Line[] {
  return text
    .replace(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)
    .flatMap((line) => {
      const [, name = '', parameters = '', value = ''] = contentLine.exec(line) ?? []
      return name === '' ? [] : [{ name: name.toUpperCase(), parameters, value }]
    })
}

const components = new Set(['VCALENDAR', 'VEVENT', 'VTODO', 'VFREEBUSY', 'VTIMEZONE', 'STANDARD', 'DAYLIGHT'])
const properties = new Set([
  ...[
    'VERSION',
    'METHOD',
    'CALSCALE',
    'UID',
    'SEQUENCE',
    'DTSTAMP',
    'RECURRENCE-ID',
    'DTSTART',
    'DTEND',
    'DURATION',
    'DUE',
  ],
  ...[
    'SUMMARY',
    'DESCRIPTION',
    'LOCATION',
    'COMMENT',
    'STATUS',
    'REQUEST-STATUS',
    'RRULE',
    'RDATE',
    'EXDATE',
    'FREEBUSY',
  ],
  ...['ORGANIZER', 'ATTENDEE', 'COMPLETED', 'PERCENT-COMPLETE', 'TZID', 'TZNAME', 'TZOFFSETFROM', 'TZOFFSETTO'],
])

/** Known properties of known components; alarms, and whatever programs invented, go with all that is in them. */
function keepKnown(lines: Line[]): Line[] {
  const open: string[] = []
  let unknownFrom: number | undefined
  const kept = lines.filter(({ name, value }) => {
    const component = value.trim().toUpperCase()
    if (name === 'BEGIN') {
      open.push(component)
      if (!components.has(component)) unknownFrom ??= open.length
      return unknownFrom === undefined
    }
    if (name === 'END') {
      if (open.at(-1) !== component) throw new RefusedPart('calendar')
      const isKnown = unknownFrom === undefined
      if (unknownFrom === open.length) unknownFrom = undefined
      open.pop()
      return isKnown
    }
    return unknownFrom === undefined && open.length > 0 && properties.has(name)
  })
  if (open.length > 0 || kept[0]?.value.trim().toUpperCase() !== 'VCALENDAR') throw new RefusedPart('calendar')
  return kept
}

function rewriteLine(line: Line, rules: CalendarRules, answers: boolean): string | undefined {
  const { name, value } = line
  const said = `${name}${keptParameters(line)}`
  if (name === 'VERSION') return `VERSION:2.0\r\nPRODID:-//Postern//Relay//EN`
  if (name !== 'ATTENDEE' && name !== 'ORGANIZER') return `${said}:${rules.hide(value).replace(/[\r\n]+/g, ' ')}`
  const address = rules.hide(value.trim().replace(/^mailto:/i, ''))
  // The one attendee of an answer is the person (RFC 5546 §3.2.3), whatever address the program uses.
  const party = answers && name === 'ATTENDEE' ? rules.alias : partyOf(address, rules)
  return party === undefined ? undefined : `${said}:mailto:${party}`
}

function partyOf(address: string, { reverse, to }: CalendarRules): string | undefined {
  if (address.toLowerCase() === reverse.toLowerCase()) return to
  return /^[^\s@<>"]+@[^\s@<>"]+$/.test(address) ? address : undefined
}

const parameterNames = /^(PARTSTAT|ROLE|RSVP|CUTYPE|TZID|VALUE|RANGE|FBTYPE|RELATED)$/i

/** Names, other addresses and what programs add go. */
function keptParameters({ parameters }: Line): string {
  const all = parameters.match(/;[A-Za-z0-9-]+=(?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*/g) ?? []
  return all.filter((one) => parameterNames.test(one.slice(1, one.indexOf('=')))).join('')
}

/** At most 75 bytes a line, and no character cut (RFC 5545 §3.1). */
function fold(line: string): string {
  let [folded, length] = ['', 0]
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (length + size > 73 && character !== '\r' && character !== '\n') {
      folded += '\r\n '
      length = 1
    }
    folded += character
    length = character === '\n' ? 0 : length + size
  }
  return folded
}
