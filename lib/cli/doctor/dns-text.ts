import type { RelayDns } from '#lib/relay/dns/dns-records'
import type { DnsRecord } from '#lib/relay/sender-domains/mail-domain'

/** Returns the records as text of a zone file, each below a comment with its purpose. */
export function dnsText({ records, policy }: RelayDns): string {
  const lines = records.map(({ name, type, value, needed, why }, index) => {
    const again = records[index - 1]?.why === why
    const reason = again ? [] : ['', `; ${needed ? '' : '(optional) '}${why}`]
    return [...reason, zoneLine({ name, type, value })].join('\n')
  })
  const file = policy.content.trim().split('\r\n')
  return [...lines, '', `; ${policy.url} (optional, for MTA-STS)`, ...file.map((line) => `;   ${line}`)]
    .join('\n')
    .trim()
}

/** Returns one record as a line of a zone file. */
export const zoneLine = ({ name, type, value }: DnsRecord) =>
  `${name}. IN ${type} ${type === 'TXT' ? quoted(value) : `${value}.`}`

/** Splits a TXT value into strings of at most 255 bytes, which receivers concatenate (RFC 1035 §3.3). */
const quoted = (value: string) => (value.match(/.{1,255}/g) ?? ['']).map((part) => `"${part}"`).join(' ')
