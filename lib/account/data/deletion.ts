import type { Recorded } from '#lib/account/activity/recorded'

/** Days between the request to delete an account and its deletion, in which the person can cancel it. */
export const graceDays = 7

/** Whether the deletion of an account is pending. */
export const isLeaving = ({ deleteAfter }: { deleteAfter: Date | undefined }): boolean => deleteAfter !== undefined

/** The storage that the deletion of accounts needs. */
export type DeletionStore = {
  /** Returns the teams that need the person as their owner: they have other members, apps or APIs, and no other owner. */
  teamsInNeed(personId: string): Promise<{ id: string; name: string }[]>
  /**
   * Starts the grace period, ends other sessions and revokes every authorization. `needed`: a team needs the person as its
   * owner, so nothing changed; `last operator`: no other operator could act. A request of the operator is not refused.
   */
  ask(personId: string, about: DeletionRequest): Promise<'asked' | 'asked before' | 'needed' | 'last operator'>
  /**
   * Makes the account due for deletion now, without a grace period; ends every session and revokes every
   * authorization.
   */
  askNow(personId: string, recorded: Recorded): Promise<void>
  /** Cancels the deletion, by its owner or by an operator; false when none is pending or the grace period is over. */
  keep(personId: string, now: Date, byOperator?: Recorded): Promise<boolean>
  /** Returns people whose grace period is over. */
  findDue(now: Date, most: number): Promise<string[]>
  /** Deletes one batch of rows of a person whose grace period is over; true once the person is deleted. */
  erase(personId: string, now: Date, batch: number): Promise<boolean>
}

type DeletionRequest = {
  keepSession: string
  now: Date
  deleteAfter: Date
  /** The line of the operator's command; absent for the owner of the account. */
  byOperator?: Recorded
}
