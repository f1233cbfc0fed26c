import { BlockList, isIP, isIPv6 } from 'node:net'

/** A network that contains an address. Its limit is `factor` times the limit of a single customer. */
export type Network = { name: string; factor: number }

/**
 * Returns the networks for which an attempt from an address counts, the narrowest first. Providers give a customer a
 * /64, a /56 or a /48 (RFC 6177). If only /64s counted, a customer with a /48 would have 65,536 times the limit. The
 * factors are so large that, within an hour, failed sign-ins from one /64 cannot reach the limit of its /56, nor
 * those from one /56 the limit of its /48.
 */
export function networksOf(address: string): Network[] {
  const plain = plainAddress(address)
  if (!plain.includes(':') || !isIPv6(plain)) return [{ name: plain, factor: 1 }]
  const [a = 0, b = 0, c = 0, d = 0] = groupsOf(plain)
  return [
    { name: `${hex(a, b, c, d)}::/64`, factor: 1 },
    { name: `${hex(a, b, c, d & 0xff00)}::/56`, factor: 10 },
    { name: `${hex(a, b, c)}::/48`, factor: 30 },
  ]
}

/** Returns the network of a single customer: an IPv4 address, or the /64 of an IPv6 address. */
export const networkOf = (address: string): string => networksOf(address)[0]?.name ?? ''

/** Makes a function that returns whether an address is in one of these addresses and CIDR ranges. */
export function makeIsAmong(entries: string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of entries) {
    const [ip = '', bits] = entry.split('/')
    const family = isIP(ip) === 4 ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(ip, family)
    else list.addSubnet(ip, Number(bits), family)
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
}

/** Returns the IPv4 address of an IPv4-mapped IPv6 address in any spelling (RFC 4291 §2.5.5.2), and any other address unchanged. */
export function plainAddress(address: string): string {
  // Every IPv6 address has a colon; the test of the whole form takes a microsecond.
  if (!address.includes(':') || !isIPv6(address)) return address
  const groups = groupsOf(address)
  if (groups[5] !== 0xffff || groups.slice(0, 5).some((group) => group !== 0)) return address
  const [high = 0, low = 0] = groups.slice(6)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** Parses the eight groups of an IPv6 address; accepts a zone, and the dotted form of the last two groups. */
function groupsOf(address: string): number[] {
  const [before = [], after = []] = (address.split('%')[0] as string)
    .replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
      const [w = 0, x = 0, y = 0, z = 0] = bytes.slice(0, 4).map(Number)
      return hex((w << 8) | x, (y << 8) | z)
    })
    .split('::')
    .map((half) => half.split(':').filter(Boolean))
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16))
}

const hex = (...groups: number[]) => groups.map((group) => group.toString(16)).join(':')

export function isLoopbackAddress(address: string): boolean {
  const plain = plainAddress(address)
  return plain === '::1' || (plain.startsWith('127.') && isIP(plain) === 4)
}

/**
 * Returns whether an address is a unicast address of the Internet. Refuses every other one: loopback, link-local (which
 * cloud metadata uses), private, multicast, documentation, and IPv6 addresses that carry an IPv4 address (mapped,
 * compatible, NAT64, 6to4, Teredo), because they can carry a private one (RFC 6890 and the IANA registries it founds).
 */
export const isPublicAddress = (address: string): boolean =>
  isIP(address) === 4
    ? !isSpecialIpv4(address)
    : isIPv6(address) && !address.includes('%') && isGlobalIpv6(address) && !isSpecialIpv6(address)

const isSpecialIpv4 = makeIsAmong([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3'],
  // The platform address of Azure, which answers every virtual machine.
  '168.63.129.16',
])
const isGlobalIpv6 = makeIsAmong(['2000::/3'])
const isSpecialIpv6 = makeIsAmong(['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'])
