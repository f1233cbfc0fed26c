import { domainToASCII } from 'node:url'

/** Addresses are stored lower-case, since no two people share one that differs in case only. */
export const isSameAddress = (one: string, other: string): boolean => folded(one) === folded(other)

function folded(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  return `${address.slice(0, at)}@${domainToASCII(domain) || domain}`.toLowerCase()
}
