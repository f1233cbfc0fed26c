import { domainToASCII } from 'node:url'
import { at, type Report, reportDuplicates } from '#lib/text/read-fields'
import { text } from '#lib/text/text-rules'

/** A domain an app sends mail from, as it is stored: in the form DNS uses (Punycode), in lower case. */
export const mailDomain = text
  .transform((value) => domainToASCII(value))
  .refine(isDomain, { error: 'must be a domain name such as mail.example.org' })

const mostDomains = 20

/** Checks the list of mail domains of an app: its length, and duplicates. */
export function checkMailDomains(domains: string[] | undefined, path: string, report: Report) {
  if (!domains) return
  const list = at(path, 'mail_domains')
  if (domains.length > mostDomains) report(list, `must name at most ${mostDomains}`)
  reportDuplicates(
    domains.map((key, index) => ({ key, path: at(list, index) })),
    report,
  )
}

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** Leaves room for the label of the proof record, `_postern`; rejects IPv4 addresses. */
function isDomain(value: string): boolean {
  const labels = value.split('.')
  const fits = value.length <= 253 - '_postern.'.length
  return fits && labels.length > 1 && labels.every((one) => label.test(one)) && !/^\d+$/.test(labels.at(-1) ?? '')
}
