import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { isLoopbackAddress, makeIsAmong, plainAddress } from '#lib/text/network'

/**
 * Whether a client is on this machine: its connection comes from loopback, and no proxy says that it passes on the
 * request of another one.
 */
export function isLocalClient({ socket, headers }: IncomingMessage): boolean {
  return isLoopbackAddress(socket.remoteAddress ?? '') && !ofProxies.some((name) => name in headers)
}

const ofProxies = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']

/** Finds the address a request came from: forwarded addresses count only when a configured proxy says so (RFC 9700 §4.13). */
export function makeClientAddress(trusted: string[]) {
  const isProxy = makeIsAmong(trusted)
  return (socketAddress: string, forwardedFor: string | undefined): string => {
    let address = plainAddress(socketAddress)
    if (trusted.length === 0) return address
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
