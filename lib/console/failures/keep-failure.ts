import { sha256 } from '#lib/crypto/hash'
import type { FailureDetail, NewFailure } from './failure.ts'
import { maskText, maskUri } from './mask.ts'
import { closestUri } from './uri-difference.ts'

/** A refusal as it happened; its detail may hold what was sent. */
export type RefusalOfApp = {
  appId: string
  endpoint: string
  code: string
  reason: string
  detail: Record<string, unknown>
}

/** The members of a detail that hold what was sent: failures with different ones are different failures. */
const sentUris = ['received', 'aud', 'htu', 'resource'] as const
const sentTexts = ['kid', 'alg', 'typ', 'htm', 'scopes', 'sent'] as const

/** Returns a refusal as it may be kept for the developers of the app: without personal data, tokens and secrets. */
export function keepFailure({ appId, endpoint, code, reason: exact, detail }: RefusalOfApp, at: Date): NewFailure {
  const reason = maskText(exact, 300)
  const kept = keepDetail(detail)
  const cause = [appId, endpoint, code, reason]
  const sent = [...sentUris, ...sentTexts].flatMap((name) =>
    kept[name] === undefined ? [] : [name, inOneOrder(kept[name])],
  )
  const causeId = sha256(cause.join('\0'))
  const id = sent.length > 0 ? sha256([...cause, ...sent].join('\0')) : causeId
  return { id, causeId, appId, endpoint, code, reason, detail: kept, isMerged: false, at }
}

/** Words in another order, such as scopes, are no other value. */
const inOneOrder = (value: FailureDetail[string]) => String(value).split(' ').sort().join(' ')

/** Keeps numbers, masks what was sent, and of the registered URIs keeps the one that is most like the URI sent. */
function keepDetail({ registered, ...detail }: Record<string, unknown>): FailureDetail {
  const received = typeof detail.received === 'string' ? detail.received : undefined
  const own = received === undefined ? undefined : closestUri(received, listOf(registered))
  const kept: FailureDetail = {}
  for (const [name, value] of Object.entries(detail)) {
    if (typeof value === 'number' && Number.isFinite(value)) kept[name] = value
    else if (typeof value === 'string') kept[name] = isUri(name) ? maskUri(value, own) : maskText(value, 300)
    else if (Array.isArray(value)) kept[name] = value.slice(0, mostListed).map((one) => maskText(String(one), 100))
  }
  return own === undefined ? kept : { ...kept, registered: own.slice(0, 2000) }
}

const mostListed = 20
const isUri = (name: string) => (sentUris as readonly string[]).includes(name)
const listOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
