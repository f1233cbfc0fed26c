import { type Holder, inspectToken, type Presenter, sealToken, type TokenKind } from '#lib/crypto/sealed-token'
import type { Site } from '#lib/http/site'
import type { Progress } from '#lib/oauth/authorize/next-step'
import type { AuthorizationRequest } from '#lib/oauth/authorize/request'

/** An authorization request on its way through the browser, with the steps that are done (design §3). */
export type FlowState = { request: AuthorizationRequest; progress: Progress | undefined }

/** A request that is expired, or not the presenter's own, opens only for an answer that leads back to the app. */
export type Opened = { kind: 'open' | 'expired'; isOwn: boolean; flow: FlowState } | { kind: 'unreadable' }

/** Seconds from the app's request to its last step; every step seals the request again, so sealing does not extend it. */
const lifetime = 3600
/** Proxies and browsers pass URLs up to this length. */
export const longestSeal = 6 * 1024
const kind: TokenKind = { purpose: 'seal-request', seconds: 24 * 3600, longest: longestSeal }

type Sealer = Pick<Site, 'secrets' | 'now'>

/** Seals a request into a URL parameter. Nothing is stored, so that a visitor cannot fill a table. */
export const sealRequest = (sealer: Sealer, holder: Holder, { request, progress }: FlowState): Promise<string> =>
  sealToken(sealer, kind, holder, { request, progress })

/** Opens a sealed request: `bearer` until `/start` binds it, then the browser it is bound to. */
export async function openRequest(sealer: Sealer, presenter: Presenter, sealed: string): Promise<Opened> {
  const token = await inspectToken<FlowState>(sealer, kind, presenter, sealed)
  if (!token) return { kind: 'unreadable' }
  const { value: flow, isOwn } = token
  const age = sealer.now().getTime() / 1000 - flow.request.issuedAt
  if (age > kind.seconds) return { kind: 'unreadable' }
  return { kind: age > lifetime ? 'expired' : 'open', isOwn, flow }
}
