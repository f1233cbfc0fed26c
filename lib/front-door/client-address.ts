import { isIP } from 'node:net'
import { makeIsAmong, plainAddress } from '#lib/network'

/** Finds the address a request came from: forwarded addresses count only when a configured proxy says so (RFC 9700 §4.13). */
export function makeClientAddress(trusted: string[]) {
  const isProxy = makeIsAmong(trusted)
  return (socketAddress: string, forwardedFor: string | undefined): string => {
    let address = plainAddress(socketAddress)
    // Walk from the nearest hop outwards; the first address that is not one of our proxies is the client.
    const hops = (forwardedFor ?? '').split(',').map((hop) => plainAddress(hop.trim()))
    while (isProxy(address) && hops.length > 0) {
      const next = hops.pop() as string
      if (isIP(next) === 0) break
      address = next
    }
    return address
  }
}
