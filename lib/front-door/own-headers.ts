import type { IncomingHttpHeaders } from 'node:http'

/** Names the front door gives meaning to, for everything behind it; whatever a client sends under them is dropped. */
const reserved =
  /^(x-postern-|x-forwarded-|forwarded$|x-real-ip$|x-request-id$|x-nonce$|x-ui-locales$|x-middleware-|x-nextjs-|next-)/

/** Replaces what a client may not say by what the front door knows. */
export function claimHeaders(headers: IncomingHttpHeaders, own: { requestId: string; clientAddress: string }) {
  for (const name in headers) if (reserved.test(name)) delete headers[name]
  headers['x-request-id'] = own.requestId
  headers['x-postern-client'] = own.clientAddress
}

/** What only the front door may say; where there is none, nobody does. */
export const ownNames = /^(x-postern-|x-request-id$)/

// Next bundles a copy of this module for proxy.ts; the slot on globalThis makes them one.
const slot = globalThis as { __posternFrontDoor?: boolean }

/** From now on every request of this process has come through the front door, which has put its headers right. */
export function standInFront(): void {
  slot.__posternFrontDoor = true
}

export const isBehindFrontDoor = (): boolean => slot.__posternFrontDoor === true
