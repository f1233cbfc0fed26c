/** What the operator sees of a person; never a credential. */
export type PersonRecord = {
  username: string
  email: string | null
  name: string
  locale: string
  hasPicture: boolean
  createdAt: Date
  disabledAt: Date | null
}

/** The same, with how the person gets in and how much they use, as counts; never a credential or the name of an app. */
export type PersonDetails = PersonRecord & {
  id: string
  passwordHash: string | undefined
  deleteAfter: Date | null
  authenticatorSince: Date | null
  passkeys: number
  recoveryCodesLeft: number
  sessions: number
  lastSeenAt: Date | null
  apps: number
}

/** A person whom the operator creates; a link lets them choose their password. */
export type NewPerson = { id: string; username: string; email: string | null; name: string; locale: string }

/** What the operator's care for people asks of storage. */
export type PeopleStore = {
  list(): Promise<PersonRecord[]>
  /** A person with a username, folded; the sessions and codes that are good at that time are counted. */
  find(username: string, now: Date): Promise<PersonDetails | undefined>
  /** Creates a person without a password. */
  create(person: NewPerson, now: Date): Promise<'created' | 'username taken' | 'email taken'>
  /** Usernames, for a hint at a mistyped one. */
  names(): Promise<string[]>
  /** Disables (a time) or enables (null) an account; false when nobody has that name. */
  setDisabled(username: string, at: Date | null): Promise<boolean>
  /** Puts a picture in place of the one before, which is gone then; false when nobody has that name. */
  setPicture(username: string, picture: NewPicture, now: Date): Promise<boolean>
}

export type NewPicture = { file: string; mediaType: string; bytes: Uint8Array<ArrayBuffer> }
