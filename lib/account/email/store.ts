import type { Named } from '#lib/text/localized-name'
import type { EmailCodeStore } from './email-code.ts'

/** The fields of an account that letters and recovery need. */
export type Account = { personId: string; username: string; email: string | undefined; locale: string }

/** An app that writes to the bound address, directly or through a relay. */
export type AppWithAddress = Named & { id: string; logoFile: string | undefined }

/** The storage of bound addresses (spec §2.7, "Email rules"). */
export type EmailStore = EmailCodeStore & {
  /** Finds an account by folded username or bound address; undefined for a disabled account. */
  findAccount(login: string): Promise<Account | undefined>
  /** Finds the owner of a bound address, also of a disabled account. */
  findOwner(address: string): Promise<Account | undefined>
  /** Returns whether another account gave this address up so lately that it can take the address back. */
  isReserved(address: string, personId: string, now: Date): Promise<boolean>
  /**
   * Replaces the bound address; a unique index keeps verified addresses unique. Keeps the previous one as a former
   * address, with its undo, and resumes paused forwarding. Returns 'taken' also for an address that is reserved for another
   * account, and 'moved' when the bound address is no longer `before`.
   */
  bindAddress(personId: string, binding: Binding): Promise<'bound' | 'taken' | 'moved'>
  /** Resumes paused forwarding to this bound address; false when it was not paused, or another address is bound. */
  confirmAddress(personId: string, address: string): Promise<boolean>
  /** Returns the apps that rely on the bound address. */
  appsWithAddress(personId: string): Promise<AppWithAddress[]>
  /** Removes the address; false when an app relies on it, or another address is bound. */
  removeAddress(personId: string, removal: Removal): Promise<boolean>
}

export type Binding = { address: string; before: string | undefined; now: Date; undo: UndoRecord }
export type Removal = Pick<Binding, 'address' | 'now' | 'undo'>

/** What a change stores for its undo: the session that made it, and the hash of the link's secret if there is a link. */
export type UndoRecord = { sessionId: string; undoHash: string | undefined; expiresAt: Date }

/** The storage of the changes that can be undone. */
export type EmailUndoStore = {
  /** Returns a change that its link can undo; undefined for an account that is disabled or due for deletion. */
  find(undoHash: string, now: Date): Promise<UndoableChange | undefined>
  /**
   * Binds the address from before the change again, voids the undos of later changes and every code sent by e-mail, and
   * ends the sessions that made the changes or began since. Of concurrent calls, one succeeds. Returns 'taken' when another
   * account has the address.
   */
  undo(undoHash: string, now: Date): Promise<Undone | 'over' | 'taken'>
}

/** A change of the bound address; `newAddress` is empty when the address was removed. */
export type UndoableChange = {
  personId: string
  username: string
  oldAddress: string
  newAddress: string
  changedAt: Date
}

/** The owner and the restored address, the address that was bound until the undo, and the number of ended sessions. */
export type Undone = {
  personId: string
  username: string
  locale: string
  restored: string
  replaced: string | undefined
  sessions: number
}
