import type { ConsentRecord } from '#lib/oauth/consent/consent'

/** An app somebody shares with, as the account shows it. */
export type Connection = {
  app: { id: string; name: string; team: string; logoFile: string | undefined; homepage: string; disabled: boolean }
  consent: ConsentRecord
  since: Date
  /** The last time tokens were given; undefined when no trace of one is left. */
  lastUsed: Date | undefined
}

/** What the account's pages about apps ask of storage. */
export type ConnectionStore = {
  /** The latest agreed to first. */
  listConnections(personId: string): Promise<Connection[]>
  findConnection(personId: string, appId: string): Promise<Connection | undefined>
}
