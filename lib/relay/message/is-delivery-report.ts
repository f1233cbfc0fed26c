import { fieldValue, type HeaderField } from './header-fields.ts'

/** Whether a mail server says here what became of a message (RFC 3464 §2): that is for its sender, and is never relayed (relay §7). */
export const isDeliveryReport = (fields: HeaderField[]): boolean =>
  fields.some((field) => tells[field.name]?.test(fieldValue(field)) ?? false)

const tells: Record<string, RegExp> = {
  'content-type':
    /^\s*(multipart\/report\b.*\breport-type\s*=\s*"?(global-)?delivery-status\b|message\/(global-)?delivery-status\b)/is,
  // Exim's own form, which has no parts.
  'x-failed-recipients': /\S/,
}
