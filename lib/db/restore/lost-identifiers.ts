import { existsSync } from 'node:fs'
import Sqlite from 'better-sqlite3'

/**
 * Identifiers that apps may know and that the restored database does not have, and the people that only the restored
 * one has: they may have been deleted after the backup.
 */
export type Lost = {
  subs: { sub: string; team: string }[]
  aliases: { address: string; app: string | null }[]
  back: { id: string; username: string }[]
  /** How many there are. */
  count: { subs: number; aliases: number; back: number }
}

/**
 * Compares the replaced database with the restored one, and lists at most `most` of each; undefined if the replaced
 * database cannot be read.
 */
export function lostIdentifiers(replaced: string, restored: string, most = 10_000): Lost | undefined {
  if (!existsSync(replaced)) return undefined
  const db = new Sqlite(restored)
  try {
    db.prepare('ATTACH ? AS replaced').run(replaced)
    const count: Record<string, number> = {}
    const missing = (name: string, columns: string, table: string, key: string, [from, to] = ['replaced', 'main']) => {
      const rows = `FROM ${from}."${table}" WHERE ${key} NOT IN (SELECT ${key} FROM ${to}."${table}")`
      count[name] = db.prepare(`SELECT count(*) ${rows}`).pluck().get() as number
      return db.prepare(`SELECT ${columns} ${rows} LIMIT ?`).all(most)
    }
    const subs = missing('subs', 'sub, "teamId" AS team', 'Subject', 'sub')
    const aliases = missing('aliases', 'address, "appId" AS app', 'Alias', 'address')
    const back = missing('back', 'id, username', 'Person', 'id', ['main', 'replaced'])
    return { subs, aliases, back, count } as Lost
  } catch {
    return undefined
  } finally {
    db.close()
  }
}
