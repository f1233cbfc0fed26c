import { existsSync } from 'node:fs'
import Sqlite from 'better-sqlite3'

/**
 * Identifiers that apps may know and that the restored database does not have, and the people that only the restored
 * one has: they may have been deleted after the backup.
 */
export type Lost = {
  subs: { sub: string; team: string }[]
  aliases: { address: string; app: string }[]
  back: { id: string; username: string }[]
}

const most = 10_000

/**
 * Compares the replaced database with the restored one, and lists at most 10,000 of each; undefined if the replaced
 * database cannot be read.
 */
export function lostIdentifiers(replaced: string, restored: string): Lost | undefined {
  if (!existsSync(replaced)) return undefined
  const db = new Sqlite(restored)
  try {
    db.prepare('ATTACH ? AS replaced').run(replaced)
    const missing = (columns: string, table: string, key: string, [from, to] = ['replaced', 'main']) =>
      db
        .prepare(
          `SELECT ${columns} FROM ${from}."${table}" WHERE ${key} NOT IN (SELECT ${key} FROM ${to}."${table}") LIMIT ?`,
        )
        .all(most)
    return {
      subs: missing('sub, "teamId" AS team', 'Subject', 'sub') as Lost['subs'],
      aliases: missing('address, "appId" AS app', 'Alias', 'address') as Lost['aliases'],
      back: missing('id, username', 'Person', 'id', ['main', 'replaced']) as Lost['back'],
    }
  } catch {
    return undefined
  } finally {
    db.close()
  }
}
