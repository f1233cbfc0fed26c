/** Whether nobody comes in any more: disabled, or the grace is over, whether or not the account was swept away yet. */
export const isGone = (person: { disabledAt: Date | null; deleteAfter: Date | null }, now: Date): boolean =>
  person.disabledAt !== null || (person.deleteAfter !== null && person.deleteAfter <= now)
