import type { Recorded } from '#lib/account/activity/recorded'

/** The acts of an operator about a person. */
export const personActs = [
  'disable',
  'enable',
  'sign_out',
  'unlock',
  'reset_factors',
  'cancel_reset',
  'delete',
  'keep',
] as const
export type PersonAct = (typeof personActs)[number]

/** A person in the list of a search. */
export type ListedPerson = { id: string; username: string; disabledAt: Date | null; deleteAfter: Date | null }

/** A pending removal of all passkeys and second factors. */
export type PendingReset = { actor: string; reason: string; createdAt: Date; dueAt: Date }

/** A person as an operator sees them: without names of apps, addresses of sessions, and relay addresses. */
export type PersonView = ListedPerson & {
  name: string
  email: string | null
  locale: string
  createdAt: Date
  mailPausedAt: Date | null
  hasPassword: boolean
  passwordSetAt: Date | null
  passkeys: { createdAt: Date; lastUsedAt: Date | null }[]
  authenticatorSince: Date | null
  recoveryCodes: { left: number; madeAt: Date } | undefined
  sessions: number
  lastSeenAt: Date | null
  apps: number
  isOperator: boolean
  reset: PendingReset | undefined
}

/**
 * `same`: the account is in this state already, for example after a double submit. `last_operator`: no other operator
 * could act. `operator`: a reset of factors never aims at an operator. `no_way_back`: the account has neither password nor address, so
 * its owner could not sign in after the reset.
 */
export type PersonChange = 'changed' | 'same' | 'unknown' | 'last_operator' | 'operator' | 'no_way_back'

/** Finds people for operators, and changes their accounts. Each change writes its line in the same transaction. */
export type OperatorPeople = {
  /** Returns people whose username begins with a text, in order, after a username; at most `most`. */
  search(beginning: string, after: string, most: number): Promise<ListedPerson[]>
  /** Finds a person by verified address, id, or the sub that an app knows them by. */
  findExactly(text: string): Promise<ListedPerson | undefined>
  /** Returns a person, and records that the operator looked; one line for each hour. */
  look(personId: string, now: Date, actor: string): Promise<PersonView | undefined>
  /** Returns when the longest wait after too many attempts ends; undefined if there is none. */
  waitsUntil(keys: string[], now: Date): Promise<Date | undefined>
  setDisabled(personId: string, isDisabled: boolean, recorded: Recorded): Promise<PersonChange>
  signOut(personId: string, recorded: Recorded): Promise<PersonChange>
  /** Ends the waits after too many attempts, by the keys that count them. */
  unlock(personId: string, keys: string[], recorded: Recorded): Promise<PersonChange>
  askDeletion(personId: string, until: Date, recorded: Recorded): Promise<PersonChange>
  keep(personId: string, recorded: Recorded): Promise<PersonChange>
}

/** Stores the pending resets of factors. */
export type FactorResets = {
  pending(personId: string): Promise<PendingReset | undefined>
  ask(personId: string, reset: { cancelHash: string; dueAt: Date }, recorded: Recorded): Promise<PersonChange>
  /** Cancels a reset by an operator. */
  cancel(personId: string, recorded: Recorded): Promise<PersonChange>
  /** Cancels a reset by its person; returns whether one was pending. */
  keepFactors(which: { personId: string } | { cancelHash: string }, now: Date): Promise<boolean>
  /** Returns whether the secret of a letter cancels a pending reset. */
  isPending(cancelHash: string): Promise<boolean>
  findDue(now: Date, most: number): Promise<string[]>
  /** Removes the factors of a due reset; undefined if it was cancelled, or its person became an operator. */
  carryOut(personId: string, now: Date): Promise<ResetPerson | undefined>
}

/** The recipient of the letter about a completed reset. */
export type ResetPerson = { username: string; locale: string; email: string | undefined }
