import { BlockList, isIP } from 'node:net'

/** Finds the address a request came from: forwarded addresses count only when a configured proxy says so (RFC 9700 §4.13). */
export function makeClientAddress(trusted: string[]) {
  const proxies = new BlockList()
  for (const entry of trusted) {
    const [ip = '', bits] = entry.split('/')
    const family = isIP(ip) === 4 ? 'ipv4' : 'ipv6'
    if (bits === undefined) proxies.addAddress(ip, family)
    else proxies.addSubnet(ip, Number(bits), family)
  }
  const isProxy = (ip: string) => isIP(ip) !== 0 && proxies.check(ip, isIP(ip) === 4 ? 'ipv4' : 'ipv6')
  return (socketAddress: string, forwardedFor: string | undefined): string => {
    let address = plain(socketAddress)
    if (trusted.length === 0) return address
    // Walk from the nearest hop outwards; the first address that is not one of our proxies is the client.
    const hops = (forwardedFor ?? '').split(',').map((hop) => plain(hop.trim()))
    while (isProxy(address) && hops.length > 0) {
      const next = hops.pop() as string
      if (isIP(next) === 0) break
      address = next
    }
    return address
  }
}

/** IPv4 that arrived on an IPv6 socket is still IPv4. */
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.)/, '')
