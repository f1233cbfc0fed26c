import { domainToASCII } from 'node:url'

/** Returns the stored spelling of a mail address: in lower case, an internationalized domain in A-labels (RFC 5890). */
export function foldAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  if (at < 0 || !internationalized.test(domain)) return address.toLowerCase()
  // The conversion returns '' for a domain that cannot be registered; the address stays as it is and is rejected later.
  return `${address.slice(0, at + 1)}${domainToASCII(domain) || domain}`.toLowerCase()
}

/** A domain of letters, digits and dots, at least one outside ASCII; domainToASCII alone accepts more than that. */
const internationalized = /^(?=.*[^\p{ASCII}])[\p{L}\p{M}\p{N}\u3002\uff0e\uff61.-]{1,253}$/u
