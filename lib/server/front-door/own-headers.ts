import type { IncomingHttpHeaders } from 'node:http'
import { addressHeader, localHeader } from '#lib/http/client-headers'

/** Header names that only the front door may set; a client's are dropped. */
const reserved =
  /^(x-postern-|x-forwarded-|forwarded$|x-real-ip$|x-request-id$|x-nonce$|x-ui-locales$|x-middleware-|x-nextjs-|next-)/

/** Drops reserved headers of the client and sets the front door's own. */
export function claimHeaders(
  headers: IncomingHttpHeaders,
  own: { requestId: string; clientAddress: string; isLocal: boolean },
) {
  for (const name in headers) if (reserved.test(name)) delete headers[name]
  headers['x-request-id'] = own.requestId
  headers[addressHeader] = own.clientAddress
  if (own.isLocal) headers[localHeader] = '1'
}

/** Header names that are dropped where no front door has set them. */
export const ownNames = /^(x-postern-|x-request-id$)/

// Next bundles a copy of this module for proxy.ts; the slot on globalThis makes them one.
const slot = globalThis as { __posternFrontDoor?: boolean }

/** From now on every request of this process has come through the front door, which has put its headers right. */
export function standInFront(): void {
  slot.__posternFrontDoor = true
}

export const isBehindFrontDoor = (): boolean => slot.__posternFrontDoor === true
