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

/** What the operator's care for people asks of storage. */
export type PeopleStore = {
  list(): Promise<PersonRecord[]>
  /** Disables (a time) or enables (null) an account; false when nobody has that name. */
  setDisabled(username: string, at: Date | null): Promise<boolean>
  /** Puts a picture in place of the one before, which is gone then; false when nobody has that name. */
  setPicture(username: string, picture: NewPicture, now: Date): Promise<boolean>
}

export type NewPicture = { file: string; mediaType: string; bytes: Uint8Array<ArrayBuffer> }
