import { RefusedPart } from '#lib/relay/reply/reply-refusal'

export type CalendarRules = {
  hide(text: string): string
  /**
   * `alias` is the relay address by which the app knows the person; `reverse` is the address by which the person
   * reaches the app.
   */
  alias: string
  reverse: string
  /** The app's own address. */
  to: string
  /** Recognises the app's own text; undefined to recognise none. */
  own?: { isEntry(uid: string): boolean } | undefined
}

/** `judged` is the version for the leak gate, without the UIDs of the app's own entries. */
export type RewrittenCalendar = { method: string; text: string; judged: string }

/**
 * Rewrites a calendar message (RFC 5546): replaces the person by the relay address, and removes data about the
 * person's program, device and other addresses. Returns undefined for a calendar without a method, which is an
 * ordinary file.
 */
export function rewriteCalendar(text: string, rules: CalendarRules): RewrittenCalendar | undefined {
  const lines = unfold(text)
  const method = lines
    .find(({ name }) => name === 'METHOD')
    ?.value.trim()
    .toUpperCase()
  if (method === undefined) return undefined
  if (!/^[A-Z-]{1,20}$/.test(method)) throw new RefusedPart('calendar')
  const isAnswer = ['REPLY', 'REFRESH', 'COUNTER'].includes(method)
  const kept = isAnswer ? firstAttendees(keepKnown(lines, propertiesOfAnswers)) : keepKnown(lines, properties)
  const rewrite = isAnswer ? rewriteAnswer : rewriteLine
  const written = kept.map((line) => ({ line, text: rewrite(line, { ...rules, method }) }))
  const isOwn = ({ line }: { line: Line }) => line.name === 'UID' && rules.own?.isEntry(line.value.trim()) === true
  return { method, text: join(written), judged: join(written.filter((one) => !isOwn(one))) }
}

const join = (lines: { text: string | undefined }[]): string =>
  lines.flatMap(({ text }) => (text === undefined ? [] : [`${fold(text)}\r\n`])).join('')

type Line = { name: string; parameters: string; value: string }

const contentLine = /^([A-Za-z0-9-]+)((?:;[A-Za-z0-9-]+=(?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*)*):(.*)$/s

/** Returns the valid content lines (RFC 5545 §3.1) and drops the others. */
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

/**
 * The properties kept in an answer: dates, numbers, words of the standard, both known parties and the person's
 * comment. Texts of the invitation are removed, because an app could plant an address in them and see whether the
 * answer changes it.
 */
const propertiesOfAnswers = words(
  'VERSION METHOD UID SEQUENCE DTSTAMP RECURRENCE-ID DTSTART DTEND DUE DURATION STATUS ORGANIZER ATTENDEE COMMENT COMPLETED PERCENT-COMPLETE',
)
const properties = new Set([
  ...propertiesOfAnswers,
  ...words('CALSCALE SUMMARY DESCRIPTION LOCATION REQUEST-STATUS RRULE RDATE EXDATE FREEBUSY'),
  ...words('TZID TZNAME TZOFFSETFROM TZOFFSETTO'),
])

/** Keeps known properties of known components. Alarms and non-standard components are removed with their content. */
function keepKnown(lines: Line[], known: Set<string>): Line[] {
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
    return unknownFrom === undefined && open.length > 0 && known.has(name)
  })
  if (open.length > 0 || kept[0]?.value.trim().toUpperCase() !== 'VCALENDAR') throw new RefusedPart('calendar')
  return kept
}

/** Keeps the first attendee of each component: an answer has one attendee, the person (RFC 5546 §3.2.3). */
function firstAttendees(lines: Line[]): Line[] {
  let seen = false
  return lines.filter(({ name }) => {
    if (name === 'BEGIN') seen = false
    const isFurther = name === 'ATTENDEE' && seen
    seen ||= name === 'ATTENDEE'
    return !isFurther
  })
}

type AnswerRules = CalendarRules & { method: string }

function rewriteAnswer(line: Line, rules: AnswerRules): string | undefined {
  const { name, value } = line
  switch (name) {
    case 'BEGIN':
    case 'END':
      return /TIMEZONE|STANDARD|DAYLIGHT/i.test(value) ? undefined : `${name}:${value.trim().toUpperCase()}`
    case 'UID':
      return rules.own?.isEntry(value.trim()) ? `UID:${value.trim()}` : `UID:${hidden(value, rules)}`
    case 'ORGANIZER':
      return `ORGANIZER:mailto:${rules.to}`
    case 'ATTENDEE':
      return `ATTENDEE${rules.method === 'REPLY' ? stateOf(line) : ''}:mailto:${rules.alias}`
    case 'COMMENT':
      return `COMMENT:${hidden(value, rules)}`
    case 'VERSION':
    case 'METHOD':
      return rewriteLine(line, rules)
    default:
      return isPlain.test(value.trim()) ? `${name}${timeOf(line)}:${value.trim()}` : undefined
  }
}

const hidden = (value: string, { hide }: CalendarRules): string => hide(value).replace(/[\r\n]+/g, ' ')

/** Dates, durations and numbers (RFC 5545 §3.3), and the states of an entry. */
const isPlain = /^([-+\dPTWDHMSZ:/,]{1,200}|TENTATIVE|CONFIRMED|CANCELLED|NEEDS-ACTION|COMPLETED|IN-PROCESS)$/

const stateOf = ({ parameters }: Line): string =>
  /;PARTSTAT="?(?:NEEDS-ACTION|ACCEPTED|DECLINED|TENTATIVE|DELEGATED|COMPLETED|IN-PROCESS)(?="?(?:;|$))/i
    .exec(parameters)?.[0]
    .replace('"', '')
    .toUpperCase() ?? ''

/**
 * Returns the parameters of a date. Keeps only time zones with well-known names, because an answer contains no
 * definitions of time zones.
 */
function timeOf({ parameters }: Line): string {
  const [, zone = ''] = /;TZID="?([^";:,]{1,80})"?(?=;|$)/i.exec(parameters) ?? []
  const isDate = /;VALUE=DATE(?=;|$)/i.test(parameters)
  return `${isDate ? ';VALUE=DATE' : ''}${isZone(zone) ? `;TZID=${zone}` : ''}`
}

const isZone = (name: string): boolean =>
  Intl.supportedValuesOf('timeZone').includes(name) ||
  /^(?!.*\b(?:at|dot)\b)[A-Z][A-Za-z. ]{1,40} Standard Time$/i.test(name)

function rewriteLine(line: Line, rules: AnswerRules): string | undefined {
  const { name, value } = line
  const said = `${name}${keptParameters(line)}`
  if (name === 'VERSION') return `VERSION:2.0\r\nPRODID:-//Postern//Relay//EN`
  if (name !== 'ATTENDEE' && name !== 'ORGANIZER') return `${said}:${hidden(value, rules)}`
  const party = partyOf(rules.hide(value.trim().replace(/^mailto:/i, '')), rules)
  return party === undefined ? undefined : `${said}:mailto:${party}`
}

function partyOf(address: string, { reverse, to }: CalendarRules): string | undefined {
  if (address.toLowerCase() === reverse.toLowerCase()) return to
  return /^[^\s@<>"]+@[^\s@<>"]+$/.test(address) ? address : undefined
}

const parameterNames = /^(PARTSTAT|ROLE|RSVP|CUTYPE|TZID|VALUE|RANGE|FBTYPE|RELATED)$/i

/** Returns the parameters without names, further addresses and non-standard parameters. */
function keptParameters({ parameters }: Line): string {
  const all = parameters.match(/;[A-Za-z0-9-]+=(?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*/g) ?? []
  return all.filter((one) => parameterNames.test(one.slice(1, one.indexOf('=')))).join('')
}

/** Folds a line at 75 bytes without splitting a character (RFC 5545 §3.1). */
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

function words(text: string): Set<string> {
  return new Set(text.split(' '))
}
