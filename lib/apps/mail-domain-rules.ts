import { readDomain } from '#lib/text/domain-name'
import { at, type Report, reportDuplicates } from '#lib/text/read-fields'
import { text } from '#lib/text/text-rules'

/**
 * A domain an app sends mail from, as it is stored: in the form DNS uses (Punycode), in lower case. A hosting service may
 * send mail from its own domain, below which others have names.
 */
export const mailDomain = text.transform((value, issues) => {
  const read = readDomain(value, { ofHosts: false })
  if ('domain' in read) return read.domain
  issues.addIssue(
    read.problem === 'suffix'
      ? 'must be a domain of your own: anyone can register names below this one'
      : 'must be a domain name such as mail.example.org',
  )
  return ''
})

export const mostMailDomains = 20

/** Checks the list of mail domains of an app: its length, and duplicates. */
export function checkMailDomains(domains: string[] | undefined, path: string, report: Report) {
  if (!domains) return
  const list = at(path, 'mail_domains')
  if (domains.length > mostMailDomains) report(list, `must name at most ${mostMailDomains}`)
  reportDuplicates(
    domains.map((key, index) => ({ key, path: at(list, index) })),
    report,
  )
}
