import type { Recorded } from '#lib/account/activity/recorded'

/** A person in a list. A list is no recorded look, so it has neither names nor addresses (decision 0049). */
export type PersonRecord = { username: string; createdAt: Date; disabledAt: Date | null }

/** A person with counts of their credentials, sessions and apps; without the names of apps. */
export type PersonDetails = PersonRecord & {
  id: string
  email: string | null
  name: string
  locale: string
  hasPicture: boolean
  passwordHash: string | undefined
  deleteAfter: Date | null
  authenticatorSince: Date | null
  passkeys: number
  recoveryCodesLeft: number
  sessions: number
  lastSeenAt: Date | null
  apps: number
}

/** A person whom the operator creates; a link lets the person choose a password. */
export type NewPerson = { id: string; username: string; email: string | null; name: string; locale: string }

/** The storage of the operator's commands about people. Each change writes its line in the same transaction. */
export type PeopleStore = {
  list(): Promise<PersonRecord[]>
  /** Finds a person by folded username or address; counts the sessions and codes that are valid at that time. */
  find(name: { username: string } | { email: string }, now: Date): Promise<PersonDetails | undefined>
  /** Creates a person without a password. */
  create(
    person: NewPerson,
    recorded: Recorded,
  ): Promise<'created' | 'username taken' | 'email taken' | 'email reserved'>
  /** Returns all usernames, to suggest one for a mistyped name. */
  names(): Promise<string[]>
  /** Disables (a time) or enables (null) an account; false for an unknown username. */
  setDisabled(username: string, isDisabled: boolean, recorded: Recorded): Promise<boolean>
  /** Replaces the picture and deletes the previous one; false for an unknown username. */
  setPicture(username: string, picture: NewPicture, recorded: Recorded): Promise<boolean>
}

export type NewPicture = { file: string; mediaType: string; bytes: Uint8Array<ArrayBuffer> }
