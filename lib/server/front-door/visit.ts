import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request while the front door handles it. */
export type Visit = {
  incoming: IncomingMessage
  outgoing: ServerResponse
  requestId: string
  host: 'issuer' | 'account' | 'any' | 'none'
  /** The template of the route, never the path: a path may contain a secret, which must not be logged. */
  route: string
  isPage: boolean
}

/** A request and the id that its answer carries. */
export type Asked = Pick<Visit, 'incoming' | 'outgoing' | 'requestId'>
