import { createHmac } from 'node:crypto'
import type { Secrets } from './context.ts'

/** The `sid` of a session for one team: the same for the team's apps, and of no use to anybody else's. */
export function sessionIdentifier(secrets: Secrets, sessionId: string, teamId: string): string {
  return createHmac('sha256', secrets.current('session-id'))
    .update(`${sessionId}\0${teamId}`)
    .digest('base64url')
    .slice(0, 22)
}
