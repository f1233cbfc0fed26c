import { stepUpMinutes } from '#lib/oauth/authorize/next-step'
import type { Current } from './session.ts'

/** Returns whether credentials may be changed without a new sign-in (security checklist, "Step-up"). */
export const isFresh = ({ session }: Current, now: Date): boolean =>
  now.getTime() - session.authenticatedAt.getTime() < stepUpMinutes * 60_000
