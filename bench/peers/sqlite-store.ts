import Database from 'better-sqlite3'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { grantable, type PeerStore, type Person } from './store.ts'

type Row = { payload: string; consumed: number | null; expires_at: number | null }

/** A durable adapter like the package's own examples: one table, JSON payloads, every write a commit on disk. */
export function makeSqliteStore(file: string): PeerStore {
  const database = new Database(file)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec(schema)
  const addPerson = database.prepare('INSERT OR IGNORE INTO person (id, payload) VALUES (?, ?)')
  const findPerson = database.prepare<[string], { payload: string }>('SELECT payload FROM person WHERE id = ?')
  const makeAdapter = adapters(database)
  return {
    adapter: makeAdapter,
    addPeople: database.transaction((people: Person[]) => {
      for (const person of people) addPerson.run(person.id, JSON.stringify(person))
    }),
    findPerson: (id) => {
      const row = findPerson.get(id)
      return row && JSON.parse(row.payload)
    },
    async asOne(work) {
      database.exec('BEGIN IMMEDIATE')
      const result = await work()
      database.exec('COMMIT')
      // Checkpoints the WAL now, so that no measured request pays for the set-up.
      database.pragma('wal_checkpoint(TRUNCATE)')
      return result
    },
  }
}

const schema = `
  CREATE TABLE entry (
    key TEXT PRIMARY KEY, payload TEXT NOT NULL, expires_at INTEGER, consumed INTEGER,
    grant_id TEXT, uid TEXT, user_code TEXT
  ) WITHOUT ROWID;
  CREATE INDEX entry_grant ON entry (grant_id) WHERE grant_id IS NOT NULL;
  CREATE INDEX entry_uid ON entry (uid) WHERE uid IS NOT NULL;
  CREATE INDEX entry_user_code ON entry (user_code) WHERE user_code IS NOT NULL;
  CREATE TABLE person (id TEXT PRIMARY KEY, payload TEXT NOT NULL) WITHOUT ROWID;
`

function adapters(database: Database.Database) {
  const columns = 'payload, consumed, expires_at'
  const upsert = database.prepare(
    `INSERT INTO entry (key, payload, expires_at, grant_id, uid, user_code) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at,
       grant_id = excluded.grant_id, uid = excluded.uid, user_code = excluded.user_code`,
  )
  const find = database.prepare<[string], Row>(`SELECT ${columns} FROM entry WHERE key = ?`)
  const findByUid = database.prepare<[string], Row>(`SELECT ${columns} FROM entry WHERE uid = ?`)
  const findByUserCode = database.prepare<[string], Row>(`SELECT ${columns} FROM entry WHERE user_code = ?`)
  const consume = database.prepare('UPDATE entry SET consumed = ? WHERE key = ?')
  const destroy = database.prepare('DELETE FROM entry WHERE key = ?')
  const revoke = database.prepare('DELETE FROM entry WHERE grant_id = ?')
  return (model: string): Adapter => ({
    async upsert(id, payload, expiresIn) {
      const expires = expiresIn === undefined ? null : now() + expiresIn
      const grantId = grantable.has(model) ? (payload.grantId ?? null) : null
      const { uid = null, userCode = null } = payload
      upsert.run(`${model}:${id}`, JSON.stringify(payload), expires, grantId, uid, userCode)
    },
    find: async (id) => read(find.get(`${model}:${id}`)),
    findByUid: async (uid) => read(findByUid.get(uid)),
    findByUserCode: async (userCode) => read(findByUserCode.get(userCode)),
    consume: async (id) => void consume.run(now(), `${model}:${id}`),
    destroy: async (id) => void destroy.run(`${model}:${id}`),
    revokeByGrantId: async (grantId) => void revoke.run(grantId),
  })
}

function read(row: Row | undefined): AdapterPayload | undefined {
  if (!row || (row.expires_at !== null && row.expires_at <= now())) return undefined
  const payload = JSON.parse(row.payload) as AdapterPayload
  return row.consumed === null ? payload : { ...payload, consumed: row.consumed }
}

const now = () => Math.floor(Date.now() / 1000)
