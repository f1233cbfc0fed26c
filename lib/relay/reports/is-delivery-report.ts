import { fieldValue, type HeaderField } from '#lib/relay/mime/header-fields'
import { readParameters } from '#lib/relay/mime/parameters'

/** Whether a mail server says here what became of a message (RFC 3464 §2): that is for its sender, and is never relayed (relay §7). */
export function isDeliveryReport(fields: HeaderField[], mailFrom: string): boolean {
  const valuesOf = (name: string) => fields.filter((field) => field.name === name).map(fieldValue)
  return (
    valuesOf('content-type').some(isReportType) ||
    valuesOf('x-failed-recipients').some((value) => value.includes('@')) ||
    // Older servers, qmail and Exchange among them, write theirs in words.
    (mailFrom === '' && valuesOf('from').some((value) => /\b(mailer-daemon|postmaster)@/i.test(value)))
  )
}

/** One that does not say what kind of report it is, is this one. */
function isReportType(value: string): boolean {
  const { first, parameters } = readParameters(value)
  if (/^message\/(global-)?delivery-status$/.test(first)) return true
  const kind = parameters.get('report-type')?.trim().toLowerCase()
  return first === 'multipart/report' && (kind === undefined || /^(global-)?delivery-status$/.test(kind))
}
