import type { EmailCodeStore } from './email-code.ts'

/** Somebody's account, as letters and recovery need to know it. */
export type Account = { personId: string; username: string; email: string | undefined; locale: string }

/** An app that writes to the bound address, directly or through a relay. */
export type AppWithAddress = { id: string; name: string; logoFile: string | undefined }

/** What binding an address asks of storage (spec §2.7, "Email rules"). */
export type EmailStore = EmailCodeStore & {
  /** By username or bound address, folded; disabled people are not found. */
  findAccount(login: string): Promise<Account | undefined>
  /** Whose bound address this is, whatever became of them: it stays theirs. */
  findOwner(address: string): Promise<Account | undefined>
  /**
   * Binds an address in place of the one before: verified addresses are unique, and the database says so. The one before
   * is remembered as a former one, and paused deliveries go on.
   */
  bindAddress(personId: string, binding: Binding): Promise<'bound' | 'taken' | 'moved'>
  /** Paused deliveries go on, because this bound address was confirmed; false when none were, or another one is bound. */
  confirmAddress(personId: string, address: string): Promise<boolean>
  /** Apps that rely on the bound address. */
  appsWithAddress(personId: string): Promise<AppWithAddress[]>
  /** Removes the address unless an app relies on it; false when one does, or another one is bound by now. */
  removeAddress(personId: string, address: string, now: Date): Promise<boolean>
}

export type Binding = { address: string; before: string | undefined; now: Date }
