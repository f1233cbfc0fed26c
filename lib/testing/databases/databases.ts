import { afterEach, describe } from 'vitest'
import { type Database, openDatabase } from '#lib/db/engine/client'
import { freshPostgresUrl, freshSqliteFile, migratedUrl } from './fresh-database.ts'

export type Kind = 'sqlite' | 'postgresql'
export const kinds: readonly Kind[] = ['sqlite', 'postgresql']

/** Runs the same tests on a real SQLite and a real PostgreSQL, on which every store must behave alike (design §2). */
export function onBothDatabases(name: string, questions: (open: () => Promise<Database>) => void) {
  describe.each(kinds)(`${name} on %s`, (kind) => {
    const opened: Database[] = []
    afterEach(async () => {
      for (const database of opened.splice(0)) await database.close()
    })
    questions(async () => {
      const database = await openDatabase(await freshUrl(kind))
      opened.push(database)
      return database
    })
  })
}

/** Returns the URL of a new database with every migration applied. */
export const freshUrl = (kind: Kind): Promise<string> => migratedUrl(kind)

/** Returns the URL of a new, empty database. */
export async function emptyUrl(kind: Kind): Promise<string> {
  return kind === 'sqlite' ? `file:${freshSqliteFile()}` : freshPostgresUrl()
}
