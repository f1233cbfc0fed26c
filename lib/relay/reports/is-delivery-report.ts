import { fieldValue, type HeaderField } from '#lib/relay/mime/header-fields'
import { readParameters } from '#lib/relay/mime/parameters'

/**
 * Returns whether a message is a delivery report (RFC 3464 §2). Reports are for the sender and never forwarded (relay
 * §7).
 */
export function isDeliveryReport(fields: HeaderField[], mailFrom: string): boolean {
  const valuesOf = (name: string) => fields.filter((field) => field.name === name).map(fieldValue)
  return (
    valuesOf('content-type').some(isReportType) ||
    valuesOf('x-failed-recipients').some((value) => value.includes('@')) ||
    // Older servers, such as qmail and Exchange, write them as plain text.
    (mailFrom === '' && valuesOf('from').some((value) => /\b(mailer-daemon|postmaster)@/i.test(value)))
  )
}

/** A multipart/report without a report-type is treated as one. */
function isReportType(value: string): boolean {
  const { first, parameters } = readParameters(value)
  if (/^message\/(global-)?delivery-status$/.test(first)) return true
  const kind = parameters.get('report-type')?.trim().toLowerCase()
  return first === 'multipart/report' && (kind === undefined || /^(global-)?delivery-status$/.test(kind))
}
