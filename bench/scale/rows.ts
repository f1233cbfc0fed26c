import type { Filling } from './values.ts'

/** Values that all rows have in common. */
export type Fixed = {
  client: { id: string; secret: string; teamId: string }
  redirectUri: string
  scopes: string
  challenge: string
  now: Date
}

/** The columns of an authorization that the filling writes, in the order of their values. */
export const columns = [
  ...['id', 'requestId', 'appId', 'personId', 'sessionId', 'sub', 'scopes', 'emailChoice', 'redirectUri', 'nonce'],
  ...['challenge', 'authTime', 'authTimeWanted', 'acr', 'amr', 'salt', 'codeHash', 'codeExpiresAt', 'codeSpentAt'],
  ...['refreshHash', 'rotations', 'refreshIdleUntil', 'refreshUntil', 'createdAt', 'keepUntil'],
]

/** Returns the times of an authorization in milliseconds. None expires before `later`. */
export function timesOf(number: number, { from, authorizations, days }: Filling, now: Date) {
  const age = (1 - (number - from) / authorizations) * days * 86_400_000
  const createdAt = Math.floor(now.getTime() - age)
  return { createdAt, later: createdAt + 365 * 86_400_000 }
}
