import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIP, isIPv6 } from 'node:net'
import { addressHeader, localHeader } from '#lib/http/headers'
import { isLoopbackAddress, makeIsAmong, plainAddress } from '#lib/text/network'

/** Headers that only the front door may set; it drops them from a client's request. */
const reserved =
  /^(x-postern-|x-forwarded-|forwarded$|x-real-ip$|x-request-id$|x-nonce$|x-ui-locales$|x-middleware-|x-nextjs-|x-prerender-|next-)/

/** Drops the reserved headers of a client and sets those of the front door. */
export function claimHeaders(
  headers: IncomingHttpHeaders,
  own: { requestId: string; clientAddress: string; isLocal: boolean },
) {
  for (const name in headers) if (reserved.test(name)) delete headers[name]
  headers['x-request-id'] = own.requestId
  headers[addressHeader] = own.clientAddress
  if (own.isLocal) headers[localHeader] = '1'
}

/** Headers that are dropped unless the front door has set them. */
export const ownNames = /^(x-postern-|x-request-id$)/

// Next bundles a copy of this module for proxy.ts; the slot on globalThis is shared by both copies.
const slot = globalThis as { __posternFrontDoor?: boolean }

/** Records that in this process the front door has checked the headers of every request. */
export function markBehindFrontDoor(): void {
  slot.__posternFrontDoor = true
}

export const isBehindFrontDoor = (): boolean => slot.__posternFrontDoor === true

/** Returns whether a client is on this machine: it connects from loopback, and no proxy has forwarded its request. */
export function isLocalClient({ socket, headers }: IncomingMessage): boolean {
  return isLoopbackAddress(socket.remoteAddress ?? '') && !ofProxies.some((name) => name in headers)
}

const ofProxies = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']

/**
 * Returns a function that returns the address of a client. X-Forwarded-For is trusted from configured proxies only
 * (RFC 9700 §4.13).
 */
export function makeClientAddress(trusted: string[]) {
  const isProxy = makeIsAmong(trusted)
  return (socketAddress: string, forwardedFor: string | undefined): string => {
    let address = plainAddress(socketAddress)
    if (trusted.length === 0) return address
    // From the nearest hop outwards, the first address that is not a configured proxy is the client's.
    const hops = (forwardedFor ?? '').split(',')
    while (isProxy(address) && hops.length > 0) {
      const next = plainAddress(withoutPort((hops.pop() as string).trim()))
      // The name of an interface (fe80::1%eth0) has no meaning on another machine.
      if (isIP(next) === 0 || next.includes('%')) break
      address = next
    }
    return address
  }
}

/** Some proxies append the port of the client, and put an IPv6 address in brackets (RFC 7239 §6). */
function withoutPort(hop: string): string {
  // A client can send any hop, so no two parts of the pattern may match the same characters.
  const [, six, four] = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::\d{1,5})?$/i.exec(hop) ?? []
  return six !== undefined && isIPv6(six) ? six : (four ?? hop)
}
