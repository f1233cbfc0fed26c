import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import type { DnsRecord } from '#lib/relay/sender-domains/mail-domain'
import { isLoopback } from '#lib/text/loopback'

/**
 * Returns all records that an operator publishes so that mail reaches the relay and its own mail is trusted (relay
 * §8).
 */
export function relayDnsRecords(site: RelaySite, keys: PublishedKey[]): RelayDns {
  const { domain, hosts } = site
  const mx = hosts.map((host) => `mx: ${host}\r\n`).join('')
  const policy = `version: STSv1\r\nmode: enforce\r\n${mx}max_age: 604800\r\n`
  const id = createHash('sha256').update(policy).digest('hex').slice(0, 16)
  const txt = (name: string, value: string) =>
    ({ name: name ? `${name}.${domain}` : domain, type: 'TXT', value }) as const
  return {
    records: [
      ...hosts.map((host, rank) => {
        return {
          name: domain,
          type: 'MX' as const,
          value: `${10 * (rank + 1)} ${host}`,
          purpose: 'mx' as const,
          needed: true,
          why: whyMx,
        }
      }),
      { ...txt('', `v=spf1 ${site.senders} -all`), purpose: 'spf', needed: true, why: whySpf },
      ...keys.map(({ name, value, state }) => {
        return { name, type: 'TXT' as const, value, purpose: 'dkim' as const, needed: true, why: whyKey[state] }
      }),
      { ...txt('_dmarc', 'v=DMARC1; p=reject; adkim=s; aspf=s'), purpose: 'dmarc', needed: true, why: whyDmarc },
      { ...txt('_mta-sts', `v=STSv1; id=${id}`), purpose: 'mta-sts', needed: false, why: whySts },
      {
        ...txt('_smtp._tls', `v=TLSRPTv1; rua=mailto:postmaster@${domain}`),
        purpose: 'tls-rpt',
        needed: false,
        why: whyReports,
      },
    ],
    policy: { url: `https://mta-sts.${domain}/.well-known/mta-sts.txt`, content: policy },
  }
}

/**
 * `hosts` receive mail for the domain, in order of preference; `senders` are the SPF terms of the hosts that send.
 */
export type RelaySite = { domain: string; hosts: string[]; senders: string }

export type PublishedKey = { name: string; value: string; state: 'next' | 'current' | 'retired' }

export type RelayDns = {
  records: (DnsRecord & { purpose: Purpose; needed: boolean; why: string })[]
  /** The content of an MTA-STS policy file, and the URL that serves it. */
  policy: { url: string; content: string }
}

type Purpose = 'mx' | 'spf' | 'dkim' | 'dmarc' | 'mta-sts' | 'tls-rpt'

const whyMx =
  'Mail for relay addresses comes to this host: the public name of the relay, or of the mail server before it. Give yours with --mx.'
const whySpf =
  'The next mail server (SMTP_URL) sends for this domain: list every address it sends from, and no others. Your provider documents what to include. Give yours with --spf.'
const whyKey = {
  current: 'The relay signs with this key.',
  next: 'The relay signs with this key once both records of its pair are found.',
  retired: 'Mail signed with this key is still on its way. Remove the record when it is no longer listed here.',
}
const whyDmarc = 'SPF and DKIM both cover this domain, so a message that fails both is forged.'
const whySts =
  'Other servers then deliver by TLS only (RFC 8461). Needs a certificate on the host above, and the policy below on the web.'
const whyReports = 'Reports of deliveries that failed for TLS go to postmaster (RFC 8460).'

/**
 * Returns the assumed site when the operator names no hosts: the host `mx.<domain>`, and an SPF term derived from
 * SMTP_URL.
 */
export const guessSite = (domain: string, smtpUrl: string | undefined): RelaySite => ({
  domain,
  hosts: [`mx.${domain}`],
  senders: guessSenders(smtpUrl),
})

/**
 * Derives the SPF term from SMTP_URL: the addresses of a public host; `mx` for a host on this machine or in its
 * network, which sends from the machine that also receives mail.
 */
function guessSenders(smtpUrl: string | undefined): string {
  const host = smtpUrl && URL.canParse(smtpUrl) ? new URL(smtpUrl).hostname.replace(/^\[|\]$/g, '') : ''
  if (host === '' || isLoopback(host) || host === '::1') return 'mx'
  const family = isIP(host)
  if (family === 0) return /\.(local|internal|localdomain|lan)$/.test(host) || !host.includes('.') ? 'mx' : `a:${host}`
  if (/^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|f[cd]|fe80:)/i.test(host)) return 'mx'
  return `ip${family}:${host}`
}
