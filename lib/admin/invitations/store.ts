import type { Recorded } from '#lib/account/activity/recorded'

/** What the code of an invitation permits one person: to sign up (SIGNUP=invite), or to create a team (TEAMS=invite). */
export const purposes = ['account', 'team'] as const
export type Purpose = (typeof purposes)[number]

export type NewInvitation = { hash: string; purpose: Purpose; note: string; expiresAt: Date }

/** An invitation as operators see it; its code is known to the person who got it alone. */
export type ListedInvitation = NewInvitation & { createdAt: Date; usedAt: Date | null }

/** Stores the invitations of operators. A change writes its line in the same transaction. */
export type Invitations = {
  /** Lists invitations, the last expiry first; `after` is the hash of the last one of the page before. */
  list(after: string | undefined, most: number): Promise<ListedInvitation[]>
  make(invitation: NewInvitation, recorded: Recorded): Promise<void>
  /** Deletes an invitation that was not used. `gone`: it is deleted already, for example after a double submit. */
  withdraw(hash: string, recorded: Recorded): Promise<'withdrawn' | 'used' | 'gone'>
}
