import type { NewAppEmail } from '#lib/oauth/consent/preselected-email'
import type { Named } from '#lib/text/localized-name'

/** The relay addresses of Hide My Email: one for each person and app, which never changes (spec §2.7). */
export type AliasStore = {
  findAddress(personId: string, appId: string): Promise<string | undefined>
  /** Returns the address, made at first use; concurrent calls return the same one. */
  ensureAddress(personId: string, appId: string, now: Date): Promise<string>
}

/** A relay address as its owner sees it. */
export type OwnAlias = {
  name: string
  /** Made by the person for a site that is no app. */
  byHand: boolean
  /** Undefined for an address made by hand, and once the app is gone. */
  app: (Named & { id: string; team: string; logoFile: string | undefined; disabled: boolean }) | undefined
  /** The address that the app is given now; undefined when nothing is shared with the app any more. */
  emailChoice: 'none' | 'regular' | 'hidden' | undefined
  /** The person's own words for the address; empty when there are none. */
  label: string
  note: string
  since: Date
  disabledAt: Date | undefined
  forwarded: number
  blocked: number
  replied: number
  lastMailAt: Date | undefined
}

/** The storage of the pages about relay addresses. */
export type OwnAliasStore = {
  /** Lists the newest first. */
  listAliases(personId: string): Promise<OwnAlias[]>
  findOwnAlias(personId: string, name: string): Promise<OwnAlias | undefined>
  /** Makes the relay refuse mail to the address; false when the address was off already. */
  switchOff(personId: string, name: string, now: Date): Promise<boolean>
  switchOn(personId: string, name: string, now: Date): Promise<boolean>
  /** Stores the person's own words; false when the address is not the person's. */
  describe(personId: string, name: string, words: { label: string; note: string }): Promise<boolean>
  /** Sets the choice that is preselected for new apps; returns whether it changed. */
  setNewAppEmail(personId: string, choice: NewAppEmail): Promise<boolean>
}

/** The storage of the relay addresses that a person makes by hand, for sites that are no apps. */
export type ByHandStore = {
  /** Returns what an earlier request with the same key made; undefined if there was none, and for an empty key. */
  find(personId: string, key: string): Promise<Made | undefined>
  /**
   * Makes an address, at most `most` for each person, also when several requests come at once. A repeated request, with the
   * same key, makes no second one; 'gone' if its address was deleted since.
   */
  make(personId: string, asked: { key: string; label: string }, most: number, now: Date): Promise<Made>
  /** Deletes an address made by hand, and every trace of its mail; false if the person has no such address. */
  remove(personId: string, name: string, now: Date): Promise<boolean>
}

export type Made = { name: string; isNew: boolean } | 'enough' | 'gone'

/** Sends a message to a relay address as an app would, and returns the relay's answer. */
export type RelayTest = (aliasName: string) => Promise<'sent' | 'closed' | 'unavailable'>

/** Limits by person; each counts one act, and returns the seconds to wait beyond the limit, else 0. */
export type EmailLimits = {
  /** Test messages. */
  tests: { fail(personId: string): Promise<number> }
  /**
   * Acts by which an app may see or send more. An act that takes something back is never limited; one cannot follow another
   * without an act that is counted here.
   */
  changes: { fail(personId: string): Promise<number> }
  /** Addresses made by hand, also those that are deleted again. `giveBack` undoes a count that made no address. */
  byHand: { fail(personId: string): Promise<number>; giveBack(personId: string): Promise<void> }
}
