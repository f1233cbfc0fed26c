/** What Hide My Email asks of storage: one address for each person and app, for ever. */
export type AliasStore = {
  /** The name of the address somebody has for an app. */
  findAlias(personId: string, appId: string): Promise<string | undefined>
  /** The one there is, or a new one; however many tabs ask at once, they all get the same. */
  ensureAlias(personId: string, appId: string, makeName: () => string, now: Date): Promise<string>
}
