import PostalMime, { type Email } from 'postal-mime'
import { fieldValue, type HeaderField, readFields, readParameters } from '#lib/relay/mime/header-fields'

/** The outcome that a report states: the action (RFC 3464 §2.3.3) and the status code (RFC 3463). */
export type Report = { action: Action; status: string }

const actions = ['failed', 'delayed', 'delivered', 'relayed', 'expanded'] as const
export type Action = (typeof actions)[number]

/** Bytes to read: the report precedes the quoted message. */
export const mostRead = 64 * 1024

/**
 * Parses a delivery report from its beginning. Without a machine-readable part, looks for a quoted SMTP reply in its
 * text. Undefined for other mail, such as out-of-office replies.
 */
export async function readReport(raw: Buffer): Promise<Report | undefined> {
  const message = await parse(raw.subarray(0, mostRead))
  if (!message) return undefined
  const part = message.attachments.find(({ mimeType }) => statusTypes.includes(mimeType))
  if (part) return readStatusPart(Buffer.from(part.content as ArrayBuffer))
  const status = quotedStatus(message.text ?? message.html ?? '')
  return status === undefined ? undefined : { action: actionFor(status), status }
}

const statusTypes = ['message/delivery-status', 'message/global-delivery-status']

async function parse(raw: Buffer): Promise<Email | undefined> {
  try {
    return await PostalMime.parse(raw, { forceRfc822Attachments: true, maxNestingDepth: 20 })
  } catch {
    // The nesting or the headers exceed the parser's limits; no mail server writes such reports.
    return undefined
  }
}

/** Field groups separated by empty lines: one for the message, then one for each recipient (RFC 3464 §2.1). */
function readStatusPart(content: Buffer): Report | undefined {
  const groups = content
    .toString('latin1')
    .replace(/\r?\n/g, '\r\n')
    .split(/\r\n(?:[ \t]*\r\n)+/)
  const reports = groups.map(readGroup).filter((report) => report !== undefined)
  return reports.find(({ action }) => action === 'failed') ?? reports[0]
}

function readGroup(group: string): Report | undefined {
  const fields = readFields(Buffer.from(group.replace(/^\r\n/, ''), 'latin1'))
  const value = (name: string) => {
    const found = fields.find((field) => field.name === name)
    return found && fieldValue(found)
  }
  const [stated] = /^[245]\.\d{1,3}\.\d{1,3}(?!\d)/.exec(value('status') ?? '') ?? []
  if (stated === undefined) return undefined
  const said = quotedStatus(value('diagnostic-code') ?? '')
  // Some servers state only the status class and quote the reply of the remote server.
  const status = stated.endsWith('.0.0') && said?.[0] === stated[0] ? (said as string) : stated
  const action = actions.find((one) => one === value('action')?.toLowerCase().split(/[ (]/)[0])
  return { action: action ?? actionFor(status), status }
}

/** Matches `550 5.1.1`, `550-5.1.1` and `(#5.1.1)`; three bare numbers may be a version or an address. */
function quotedStatus(text: string): string | undefined {
  const match = /(?<![\d.])([45])\d\d[ -]#?(\1\.\d{1,3}\.\d{1,3})(?![\d.]*\d)|\(#([45]\.\d{1,3}\.\d{1,3})\)/.exec(text)
  return match?.[2] ?? match?.[3]
}

const actionFor = (status: string): Action =>
  status.startsWith('5') ? 'failed' : status.startsWith('4') ? 'delayed' : 'delivered'

/**
 * Returns whether a message is a delivery report (RFC 3464 §2). Reports are for the sender and never forwarded (relay
 * §7).
 */
export function isDeliveryReport(fields: HeaderField[], mailFrom: string): boolean {
  const valuesOf = (name: string) => fields.filter((field) => field.name === name).map(fieldValue)
  return (
    valuesOf('content-type').some(isReportType) ||
    valuesOf('x-failed-recipients').some((value) => value.includes('@')) ||
    // Older servers, such as qmail and Exchange, write reports as plain text.
    (mailFrom === '' && valuesOf('from').some((value) => /\b(mailer-daemon|postmaster)@/i.test(value)))
  )
}

/** A multipart/report without a report-type is treated as a delivery report. */
function isReportType(value: string): boolean {
  const { first, parameters } = readParameters(value)
  if (/^message\/(global-)?delivery-status$/.test(first)) return true
  const kind = parameters.get('report-type')?.trim().toLowerCase()
  return first === 'multipart/report' && (kind === undefined || /^(global-)?delivery-status$/.test(kind))
}
