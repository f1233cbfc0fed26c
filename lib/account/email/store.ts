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
  /**
   * Replaces the bound address; a unique index keeps verified addresses unique. Keeps the previous one as a former
   * address, and resumes paused forwarding. Returns 'moved' when the bound address is no longer `before`.
   */
  bindAddress(personId: string, binding: Binding): Promise<'bound' | 'taken' | 'moved'>
  /** Resumes paused forwarding to this bound address; false when it was not paused, or another address is bound. */
  confirmAddress(personId: string, address: string): Promise<boolean>
  /** Returns the apps that rely on the bound address. */
  appsWithAddress(personId: string): Promise<AppWithAddress[]>
  /** Removes the address; false when an app relies on it, or another address is bound. */
  removeAddress(personId: string, address: string, now: Date): Promise<boolean>
}

export type Binding = { address: string; before: string | undefined; now: Date }
