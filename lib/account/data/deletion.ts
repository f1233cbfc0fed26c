/** For how long somebody who asked to be deleted can change their mind. */
export const graceDays = 7

/** Whether an account is on its way out (deletion asked, not undone). */
export const isLeaving = ({ deleteAfter }: { deleteAfter: Date | undefined }): boolean => deleteAfter !== undefined

/** What deleting people asks of storage. */
export type DeletionStore = {
  /** Begins the grace: other sessions and every authorization end at once. False when it had begun already. */
  ask(personId: string, about: { keepSession: string; now: Date; deleteAfter: Date }): Promise<boolean>
  /** Ends it again; false when there was nothing to undo or it is too late. */
  keep(personId: string, now: Date): Promise<boolean>
  /** The people whose grace is over. */
  findDue(now: Date, most: number): Promise<string[]>
  /** One small step of deleting a person whose grace is over; true once they are gone. */
  erase(personId: string, now: Date, batch: number): Promise<boolean>
}
