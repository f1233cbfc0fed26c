import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request while the front door handles it. */
export type Visit = {
  incoming: IncomingMessage
  outgoing: ServerResponse
  requestId: string
  host: 'issuer' | 'account' | 'any' | 'none'
  /** The template of the route, never the path itself: a path may hold a secret, which no log may record. */
  route: string
  isPage: boolean
}
