/** Days between the request to delete an account and its deletion, in which the person can cancel it. */
export const graceDays = 7

/** Whether the deletion of an account is pending. */
export const isLeaving = ({ deleteAfter }: { deleteAfter: Date | undefined }): boolean => deleteAfter !== undefined

/** The storage that the deletion of accounts needs. */
export type DeletionStore = {
  /** Starts the grace period, ends other sessions and revokes every authorization; false when it had started before. */
  ask(personId: string, about: { keepSession: string; now: Date; deleteAfter: Date }): Promise<boolean>
  /**
   * Makes the account due for deletion now, without a grace period; ends every session and revokes every
   * authorization.
   */
  askNow(personId: string, now: Date): Promise<void>
  /** Cancels the deletion; false when none is pending or the grace period is over. */
  keep(personId: string, now: Date): Promise<boolean>
  /** Returns people whose grace period is over. */
  findDue(now: Date, most: number): Promise<string[]>
  /** Deletes one batch of rows of a person whose grace period is over; true once the person is deleted. */
  erase(personId: string, now: Date, batch: number): Promise<boolean>
}
