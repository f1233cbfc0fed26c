/** What Hide My Email asks of storage: one address for each person and app, for ever. */
export type AliasStore = {
  /** The name of the address somebody has for an app. */
  findAlias(personId: string, appId: string): Promise<string | undefined>
  /** The one there is, or a new one; however many tabs ask at once, they all get the same. */
  ensureAlias(personId: string, appId: string, makeName: () => string, now: Date): Promise<string>
}

/** Whose relay address one is, and where its mail goes now: looked up when mail arrives, stored nowhere (relay §2). */
export type Route = {
  alias: string
  app: { id: string; name: string }
  person: Addressee
} & (
  | { state: 'open'; email: string }
  /** Switched off by the person, or the app may write no more. */
  | { state: 'closed' }
  /** The person asked for the account to be deleted: for senders it is gone already. */
  | { state: 'gone' }
  /** No address is bound, or mail to the bound one came back for good too often. */
  | { state: 'unreachable' }
)

/** `sharedName` is the one the app may see, if it may. */
export type Addressee = { id: string; username: string; locale: string; sharedName: string | undefined }

/** What stands behind an `r-` address: one address of the app's, for one relay address. */
export type Reverse = { alias: string; target: string }

export type Counted = 'forwarded' | 'blocked' | 'replied'

/** What carrying mail asks of storage. */
export type RelayStore = {
  findRoute(alias: string): Promise<Route | undefined>
  keepReverse(token: string, reverse: Reverse, now: Date): Promise<void>
  findReverse(token: string): Promise<Reverse | undefined>
  /** Every address somebody has or had: none of them may leave with a reply. */
  addressesOf(personId: string): Promise<string[]>
  count(alias: string, what: Counted, now: Date): Promise<void>
  /** Whether this very message was taken by the next mail server before. */
  wasTaken(fingerprint: string, now: Date): Promise<boolean>
  keepTaken(fingerprint: string, until: Date): Promise<void>
  keepThread(id: string, thread: Thread, until: Date): Promise<void>
  /** The marks among these ids that this relay address has, each with the original it stands for, if it does. */
  findThreads(alias: string, ids: string[]): Promise<Map<string, string | undefined>>
  /** Puts a forwarded message on record; false when there is another message under this id. */
  keepSent(id: string, sent: Sent, now: Date, until: Date): Promise<boolean>
  /** The messages on record among these ids that this relay address has, by id. */
  findSent(alias: string, ids: string[], now: Date): Promise<Map<string, Uint8Array>>
  /** The latest messages on record that went to this relay address. */
  latestSent(alias: string, most: number, now: Date): Promise<Map<string, Uint8Array>>
  /** Counts one against a limit; false when it was one too many. */
  mayPass(key: string, limit: { most: number; seconds: number }, now: Date): Promise<boolean>
  /** What was counted came to nothing, and is no longer counted. */
  giveBack(key: string): Promise<void>
  /** When somebody last exchanged their address for another. */
  lastAddressChange(personId: string): Promise<Date | undefined>
  /** Notes mail that came back for good, once for each; how many there were since. */
  noteReturned(id: string, personId: string, now: Date, since: Date): Promise<number>
  /** Pauses what is forwarded to somebody; true for whoever did it. */
  pauseMail(personId: string, now: Date): Promise<boolean>
}

/** A Message-ID of the app's own (no original), or one of the person's that we stand for, sealed. */
export type Thread = { alias: string; original: string | undefined }

/** A forwarded message: its fingerprints. */
export type Sent = { alias: string; prints: Buffer }

/** A relay address as its owner sees it; the app is gone when there is none. */
export type OwnAlias = {
  name: string
  app: { id: string; name: string; team: string; logoFile: string | undefined; disabled: boolean } | undefined
  /** Which address the app is given now; undefined when nothing is shared with it any more. */
  emailChoice: 'none' | 'regular' | 'hidden' | undefined
  since: Date
  disabledAt: Date | undefined
  forwarded: number
  blocked: number
  replied: number
  lastMailAt: Date | undefined
}

/** What the account's pages about relay addresses ask of storage. */
export type OwnAliasStore = {
  /** The latest made first. */
  listAliases(personId: string): Promise<OwnAlias[]>
  findOwnAlias(personId: string, name: string): Promise<OwnAlias | undefined>
  /** Mail to it is refused from now on; false when that was so before. */
  switchOff(personId: string, name: string, now: Date): Promise<boolean>
  switchOn(personId: string, name: string): Promise<boolean>
}

/** Sends a message to a relay address as an app would; answers what the relay said to it. */
export type RelayTest = (aliasName: string) => Promise<'sent' | 'closed' | 'unavailable'>
