import type { Recorded } from '#lib/account/activity/recorded'

/** A person with the role of an operator. */
export type Operator = { username: string; grantedAt: Date }

/** Stores who is an operator. Only the command line gives and takes the role. */
export type OperatorStore = {
  isOperator(personId: string): Promise<boolean>
  list(): Promise<Operator[]>
  /** Makes a person an operator, and cancels a pending reset of their factors; false if they are one already. */
  add(personId: string, recorded: Recorded): Promise<boolean>
  /** Takes the role; `last` if no other operator could act, unless `evenLast`. */
  remove(personId: string, evenLast: boolean, recorded: Recorded): Promise<'removed' | 'no operator' | 'last'>
  /** Returns whether no other person could act as an operator without this one. */
  isLast(personId: string): Promise<boolean>
}
