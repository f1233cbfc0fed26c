import type { ConsentRecord } from '#lib/oauth/consent/store'
import type { Named } from '#lib/text/localized-name'

/** An app that a person shares data with, as the account pages show it. */
export type Connection = {
  app: Named & { id: string; team: string; logoFile: string | undefined; homepage: string; disabled: boolean }
  consent: ConsentRecord
  since: Date
  /** When the app last received tokens; undefined when no record of that is left. */
  lastUsed: Date | undefined
}

/** The storage of the pages about connected apps. */
export type ConnectionStore = {
  /** Lists the latest consent first. */
  listConnections(personId: string): Promise<Connection[]>
  findConnection(personId: string, appId: string): Promise<Connection | undefined>
}
