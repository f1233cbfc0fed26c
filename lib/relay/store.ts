/** What Hide My Email asks of storage: one address for each person and app, for ever. */
export type AliasStore = {
  /** The name of the address somebody has for an app. */
  findAlias(personId: string, appId: string): Promise<string | undefined>
  /** The one there is, or a new one; however many tabs ask at once, they all get the same. */
  ensureAlias(personId: string, appId: string, makeName: () => string, now: Date): Promise<string>
}

/** A relay address as its owner sees it; the app is gone when there is none. */
export type OwnAlias = {
  name: string
  app: { id: string; name: string; team: string; logoFile: string | undefined } | undefined
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
