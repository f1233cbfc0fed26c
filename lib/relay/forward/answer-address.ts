import { domainToASCII } from 'node:url'
import { getDomain } from 'tldts'
import { fieldValue, type HeaderField } from '#lib/relay/mime/header-fields'
import { type Mailbox, parseMailboxes } from '#lib/relay/mime/mailboxes'

/**
 * Returns the address that replies to a message go to: the first Reply-To address within an organization that is
 * known to write to the person, else From. Any other Reply-To would send the person's replies to a stranger (relay
 * §5).
 */
export function answerAddress(fields: HeaderField[], from: Mailbox, { relayDomain, proven }: AnswerRules): string {
  const field = fields.find(({ name }) => name === 'reply-to')
  const wished = (field && parseMailboxes(fieldValue(field))) ?? []
  const known = [domainOf(from.address), ...proven].map(organizationOf)
  const chosen = wished
    .map(({ address }) => address)
    // An address of the relay would create a loop.
    .filter((address) => asciiOf(domainOf(address)) !== asciiOf(relayDomain))
    .find((address) => known.includes(organizationOf(domainOf(address))))
  return chosen ?? from.address
}

/** `proven` are the proven mail domains of the app. */
export type AnswerRules = { relayDomain: string; proven: string[] }

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

const asciiOf = (domain: string): string => domainToASCII(domain) || domain.toLowerCase()

/**
 * Returns the organizational domain by the Public Suffix List, private suffixes included (RFC 7489 §3.2);
 * docs/decisions gives the reason against the DNS tree walk of RFC 9989. A public suffix, below which no domain is
 * registered, stands for itself.
 */
export function organizationOf(domain: string): string {
  const ascii = asciiOf(domain)
  return getDomain(ascii, { allowPrivateDomains: true }) ?? ascii
}
