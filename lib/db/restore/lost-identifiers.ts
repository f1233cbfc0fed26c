import { existsSync } from 'node:fs'
import Sqlite from 'better-sqlite3'

/** Identifiers that apps may know and that the restored database does not have. */
export type Lost = { subs: { sub: string; team: string }[]; aliases: { address: string; app: string }[] }

const most = 10_000

/**
 * Lists the identifiers of the replaced database that are not in the restored one, at most 10,000 of each; undefined if
 * the replaced database cannot be read.
 */
export function lostIdentifiers(replaced: string, restored: string): Lost | undefined {
  if (!existsSync(replaced)) return undefined
  const db = new Sqlite(restored)
  try {
    db.prepare('ATTACH ? AS replaced').run(replaced)
    const missing = (columns: string, table: string, key: string) =>
      db
        .prepare(
          `SELECT ${columns} FROM replaced."${table}" WHERE ${key} NOT IN (SELECT ${key} FROM main."${table}") LIMIT ?`,
        )
        .all(most)
    return {
      subs: missing('sub, "teamId" AS team', 'Subject', 'sub') as Lost['subs'],
      aliases: missing('address, "appId" AS app', 'Alias', 'address') as Lost['aliases'],
    }
  } catch {
    return undefined
  } finally {
    db.close()
  }
}
