import { domainToASCII } from 'node:url'
import { getDomain } from 'tldts'
import { fieldValue, type HeaderField } from '#lib/relay/mime/header-fields'
import { type Mailbox, parseMailboxes } from '#lib/relay/mime/mailboxes'

/**
 * Returns the address that answers to a message go to: the first of Reply-To within an organization that is known to write
 * to the person, else From. Any other Reply-To would send the person's answers to a stranger (relay §5).
 */
export function answerAddress(fields: HeaderField[], from: Mailbox, { relayDomain, proven }: AnswerRules): string {
  const field = fields.find(({ name }) => name === 'reply-to')
  const wished = (field && parseMailboxes(fieldValue(field))) ?? []
  const known = [domainOf(from.address), ...proven].map(organizationOf)
  const chosen = wished
    .map(({ address }) => address)
    // An address of the relay would send answers round in a circle.
    .filter((address) => asciiOf(domainOf(address)) !== asciiOf(relayDomain))
    .find((address) => known.includes(organizationOf(domainOf(address))))
  return chosen ?? from.address
}

/** `proven` are the mail domains that the app has proven. */
export type AnswerRules = { relayDomain: string; proven: string[] }

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

const asciiOf = (domain: string): string => domainToASCII(domain) || domain.toLowerCase()

/**
 * The organizational domain by the Public Suffix List, private suffixes included (RFC 7489 §3.2): docs/decisions says why not
 * by RFC 9989's walk through DNS. A public suffix, which nobody registers below, stands for itself.
 */
function organizationOf(domain: string): string {
  const ascii = asciiOf(domain)
  return getDomain(ascii, { allowPrivateDomains: true }) ?? ascii
}
