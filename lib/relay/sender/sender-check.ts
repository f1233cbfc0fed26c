import { BlockList, isIP, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'
import { spf } from 'mailauth/lib/spf/index.js'
import { limitResolver, type Resolver } from '#lib/relay/dns/resolver'
import { checkAlignment } from './check-alignment.ts'
import type { Checked, DkimResult, SpfResult } from './evidence.ts'
import { type SignedMessage, verifyDkim } from './verify-dkim.ts'

/**
 * Evaluates SPF, DKIM and DMARC of a message (relay §3; RFC 7208, 6376, 9989) without judging it: `sender-policy.ts`
 * judges apps, `check-reply-sender.ts` judges people. The client is the last hop.
 */
export async function checkSender(mail: SentMail, about: CheckedWith): Promise<Checked> {
  if (about.evaluation && isThisMachine(mail.client.ip)) return { kind: 'local' }
  const resolver = limitResolver(about.resolver, { ...limits, ...about.limits })
  const [spfResult, dkimResults] = await Promise.all([checkSpf(mail, resolver), checkDkim(mail, about.now, resolver)])
  const found = { spf: spfResult, dkim: dkimResults }
  const author = domainOf(mail.author)
  const dmarc = await checkAlignment(author, found, resolver)
  return { kind: 'checked', author, client: mail.client.ip, ...found, dmarc }
}

/** A message and its transaction. `author` is the single From address, as the relay parses and shows it. */
export type SentMail = {
  message: SignedMessage
  author: string
  /** MAIL FROM; '' for the null sender. */
  sender: string
  client: { ip: string; helo: string }
}

export type CheckedWith = {
  resolver: Resolver
  /** On a loopback issuer, mail from this machine needs no authentication. */
  evaluation: boolean
  now: Date
  limits?: { questions?: number; milliseconds?: number }
}

/** Enough for every honest sender; a chain of records published by an attacker ends here. */
const limits = { questions: 200, milliseconds: 60_000 }

async function checkSpf({ sender, client }: SentMail, resolver: Resolver): Promise<SpfResult> {
  const { ip, helo } = client
  const identity = sender === '' ? {} : { sender }
  const { status, domain } = await spf({ ...identity, ip, helo, mta: 'relay', resolver: resolver as never })
  return { result: status.result, domain: canonical(domain) }
}

async function checkDkim({ message }: SentMail, now: Date, resolver: Resolver): Promise<DkimResult[]> {
  const results = await verifyDkim(message, { resolver, now })
  return results.flatMap(({ signingDomain, selector = '', algo, canonBodyLengthLimited, status }) => {
    if (!signingDomain) return []
    const about = { domain: canonical(signingDomain), selector }
    // A signature over part of the body (l=) lets an attacker append anything.
    if (canonBodyLengthLimited) return { ...about, result: 'policy', why: 'says how much of the body it signs (l=)' }
    if (/-sha1$/i.test(algo ?? '')) return { ...about, result: 'policy', why: 'weak algorithm' }
    return { ...about, result: status.result, why: status.comment || '' }
  })
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/** Also matches IPv4-mapped IPv6 addresses. */
const isThisMachine = (ip: string) => isIP(ip) !== 0 && loopback.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4')

const domainOf = (address: string) => canonical(address.slice(address.lastIndexOf('@') + 1))

/** Returns the comparable form of a domain; invalid text stays as it is and equals no domain. */
const canonical = (domain: string) => (domainToASCII(domain) || domain.toLowerCase()).replace(/\.$/, '')
