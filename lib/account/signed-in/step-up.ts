import type { Current } from './session.ts'

/** Minutes after a sign-in in which credentials may be changed without a new one (security checklist, "Step-up"). */
export const stepUpMinutes = 10

/** Whether the session's sign-in is recent enough for such a change. */
export const isFresh = ({ session }: Current, now: Date): boolean =>
  now.getTime() - session.authenticatedAt.getTime() < stepUpMinutes * 60_000
