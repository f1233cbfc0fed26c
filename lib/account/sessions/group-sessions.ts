import { describeDevice } from '#lib/account/activity/describe-event'
import { placeOf } from '#lib/account/activity/place'
import type { SeenSession } from './store.ts'

/** Sessions on devices that look the same, in the same place; never empty. */
export type SessionGroup = { isOwn: boolean; sessions: [SeenSession, ...SeenSession[]] }

/**
 * Groups the repeats of the same device (issue "A product people enjoy", "Account"): this browser first and by itself,
 * then the group that was used last.
 */
export function groupSessions(sessions: SeenSession[], own: string): SessionGroup[] {
  const byDevice = new Map<string, SessionGroup>()
  for (const session of [...sessions].sort((one, other) => other.lastSeenAt.getTime() - one.lastSeenAt.getTime())) {
    const isOwn = session.publicId === own
    const key = isOwn ? 'own' : likenessOf(session)
    const group = byDevice.get(key)
    if (group) group.sessions.push(session)
    else byDevice.set(key, { isOwn, sessions: [session] })
  }
  return [...byDevice.values()].sort((one, other) => Number(other.isOwn) - Number(one.isOwn))
}

function likenessOf({ device, address }: SeenSession): string {
  const { browser, system } = describeDevice(device)
  const place = placeOf(address)
  // A phone seems to change its city whenever its network gives it another address.
  return JSON.stringify([browser ?? device, system ?? device, typeof place === 'object' ? place.country : place])
}
