import type { Current } from './session.ts'

/** Minutes after a sign-in in which the person may change credentials and the like without signing in again (security checklist, "Step-up"). */
export const stepUpMinutes = 10

/** Whether the session's sign-in is recent enough for such a change. */
export const isFresh = ({ session }: Current, now: Date): boolean =>
  now.getTime() - session.authenticatedAt.getTime() < stepUpMinutes * 60_000
