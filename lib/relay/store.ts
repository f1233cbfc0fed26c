/**
 * The owner of an alias and the current destination of its mail: looked up for each message, never cached (relay §2).
 */
export type Route = {
  alias: string
  /** Undefined for an address that the person made by hand. */
  app: { id: string; name: string } | undefined
  /** The person's own words for the address. */
  label: string
  person: Addressee
} & (
  | { state: 'open'; email: string }
  /** The person switched the alias off, or shares no address with the app any more, or one of them is disabled. */
  | { state: 'closed' }
  /** The person's account is being deleted; senders see an unknown address. */
  | { state: 'gone' }
  /** No address is bound, or forwarding is paused after bounces. */
  | { state: 'unreachable' }
)

/** `languages` are the person's, the preferred one first; `sharedName` is the name that the app may see, if any. */
export type Addressee = { id: string; username: string; languages: string[]; sharedName: string | undefined }

/** The target of an `r-` address: one address of the app, for one alias. */
export type Reverse = { alias: string; target: string }

export type Counted = 'forwarded' | 'blocked' | 'replied'

/** Storage of the relay. */
export type RelayStore = {
  findRoute(alias: string): Promise<Route | undefined>
  keepReverse(token: string, reverse: Reverse, now: Date): Promise<void>
  findReverse(token: string): Promise<Reverse | undefined>
  /** Returns all current and former addresses of a person; none of them may leave in a reply. */
  addressesOf(personId: string): Promise<string[]>
  count(alias: string, what: Counted, now: Date): Promise<void>
  /** Returns whether this message was accepted by the next mail server before. */
  wasTaken(fingerprint: string, now: Date): Promise<boolean>
  keepTaken(fingerprint: string, until: Date): Promise<void>
  keepThread(id: string, thread: Thread, until: Date): Promise<void>
  /**
   * Returns which of these keyed Message-ID hashes are recorded for the alias, each with its sealed original, if any.
   */
  findThreads(alias: string, ids: string[]): Promise<Map<string, string | undefined>>
  /** Records a forwarded message; returns false when another message has this id. */
  keepSent(id: string, sent: Sent, now: Date, until: Date): Promise<boolean>
  /** Returns the recorded messages of the alias among these ids, by id. */
  findSent(alias: string, ids: string[], now: Date): Promise<Map<string, Uint8Array>>
  /** Returns the latest recorded messages of an alias. */
  latestSent(alias: string, most: number, now: Date): Promise<Map<string, Uint8Array>>
  /** Adds one to a count; returns false, and counts nothing, when the limit is reached. */
  mayPass(key: string, limit: { most: number; seconds: number }, now: Date): Promise<boolean>
  /** Subtracts one from a count of `mayPass`. */
  giveBack(key: string): Promise<void>
  /** Returns when the person last changed their bound address. */
  lastAddressChange(personId: string): Promise<Date | undefined>
  /** Records a bounce, once for each id, and returns the person's number of bounces since `since`. */
  noteReturned(id: string, personId: string, now: Date, since: Date): Promise<number>
  /** Pauses forwarding to a person; returns true only to the call that paused it. */
  pauseMail(personId: string, now: Date): Promise<boolean>
}

/** A Message-ID of the app (no original), or one that replaces a Message-ID of the person (sealed original). */
export type Thread = { alias: string; original: string | undefined }

/** The fingerprints of a forwarded message. */
export type Sent = { alias: string; prints: Buffer }
