import { fieldValue, type HeaderField } from '#lib/relay/mime/header-fields'

/**
 * A List- field (RFC 2369) with its https links alone: a mailto link makes the person's own mail program write to the
 * sender from the real address. Undefined when nothing is left.
 */
export function keepHttpsLinks(field: HeaderField): HeaderField | undefined {
  const links = [...fieldValue(field).matchAll(/<([^<>]*)>/g)].map(([, link = '']) => link.replace(/\s/g, ''))
  const https = links.filter((link) => /^https:\/\/[!-~]+$/i.test(link) && link.length <= longest)
  if (https.length === 0) return undefined
  const title = field.raw.slice(0, field.raw.indexOf(':'))
  return { ...field, raw: `${title}: ${https.map((link) => `<${link}>`).join(',\r\n ')}` }
}

export const isLinkField = ({ name }: HeaderField): boolean => linkFields.has(name)

const linkFields = new Set([
  'list-unsubscribe',
  'list-help',
  'list-subscribe',
  'list-post',
  'list-owner',
  'list-archive',
])

// A line of mail has at most 998 characters.
const longest = 900
