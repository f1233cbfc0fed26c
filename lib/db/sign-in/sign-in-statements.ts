import type { Person, Session, SignInStore } from '#lib/account/signed-in/session'
import { type Row, type Statements, toDate } from '#lib/db/engine/statements'
import type { NewAppEmail } from '#lib/oauth/consent/preselected-email'

type FrequentSteps = Pick<
  SignInStore,
  | 'findCredentials'
  | 'knownVersion'
  | 'findRemembered'
  | 'replacePasswordHash'
  | 'createSession'
  | 'findSession'
  | 'endReplacedSession'
>

const sightings = 5 * 60_000
const day = 86_400_000

/**
 * The steps of every sign-in, the people whom its page shows, and the look-up of the session on every page of a person, as
 * statements below Prisma.
 */
export function signInStatements({ kind, find, change }: Statements, idleDays: number): FrequentSteps {
  return {
    async findCredentials(login, now) {
      // No username has an @; the column `email` holds verified addresses only.
      const row = await find(login.includes('@') ? credentialsByEmail : credentialsByUsername, [login])
      if (!row || isRowGone(row, now)) return undefined
      return {
        personId: String(row.id),
        knownVersion: Number(row.knownVersion),
        passwordHash: optional(row.passwordHash),
      }
    },
    async knownVersion(id) {
      const row = await find(knownVersion, [id])
      return row && Number(row.knownVersion)
    },
    async findRemembered(known, now) {
      const rows = await Promise.all(known.map(({ personId }) => find(remembered, [personId])))
      return rows.flatMap((row, index) => {
        if (!row || Number(row.knownVersion) !== known[index]?.knownVersion || isRowGone(row, now)) return []
        const { id, username, name, avatarFile } = row
        return [{ id: String(id), username: String(username), name: String(name), avatarFile: optional(avatarFile) }]
      })
    },
    async replacePasswordHash(id, before, passwordHash) {
      await change(replacedHash, [id, before, passwordHash])
    },
    async createSession({ id, personId, knownVersion, publicId, firstId, amr, authenticatedAt, expiresAt, ...seen }) {
      const { address, device, timeZone = '', english = '' } = seen
      const texts = [amr.join(' '), address, device, timeZone, english]
      const values = [id, personId, publicId, firstId, authenticatedAt, expiresAt, ...texts, knownVersion]
      return (await change(newSession[kind], values)) === 1
    },
    async findSession(id, now) {
      const row = await find(session, [id])
      if (!row || isRowGone(row, now)) return undefined
      const found = toSession(row)
      const idle = now.getTime() - timeOf(row.lastSeenAt).getTime()
      if (found.expiresAt <= now || idle > idleDays * day) return undefined
      // Written every few minutes instead of on every page, to save writes.
      if (idle > sightings) await change(seenAgain, [id, now])
      return { session: found, person: toPerson(row) }
    },
    async endReplacedSession(id, now) {
      await change(replaced, [id, now])
    },
  }
}

/** Returns whether a person can no longer sign in: disabled, or past the grace period of a deletion. */
export const isGone = (person: { disabledAt: Date | null; deleteAfter: Date | null }, now: Date): boolean =>
  person.disabledAt !== null || (person.deleteAfter !== null && person.deleteAfter <= now)

const isRowGone = ({ disabledAt, deleteAfter }: Row, now: Date) =>
  isGone({ disabledAt: toDate(disabledAt) ?? null, deleteAfter: toDate(deleteAfter) ?? null }, now)

const credentials = 'SELECT id, "passwordHash", "knownVersion", "disabledAt", "deleteAfter" FROM "Person"'
const credentialsByUsername = {
  name: 'credentials-by-username',
  sql: `${credentials} WHERE username = $1`,
}
const credentialsByEmail = { name: 'credentials-by-email', sql: `${credentials} WHERE email = $1` }
const knownVersion = {
  name: 'known-version',
  sql: 'SELECT "knownVersion" FROM "Person" WHERE id = $1',
}
const remembered = {
  name: 'remembered-person',
  sql: 'SELECT id, username, name, "avatarFile", "knownVersion", "disabledAt", "deleteAfter" FROM "Person" WHERE id = $1',
  types: ['text'],
}
const replacedHash = {
  name: 'replace-password-hash',
  sql: 'UPDATE "Person" SET "passwordHash" = $3 WHERE id = $1 AND "passwordHash" = $2',
}
/** PostgreSQL treats a parameter in a SELECT list as text unless it is cast. SQLite casts these types to numbers. */
const [at, until, version] = ['CAST($5 AS TIMESTAMP)', 'CAST($6 AS TIMESTAMP)', 'CAST($12 AS INTEGER)']
const insertedSession = `INSERT INTO "Session" (id, "personId", "publicId", "firstId", "createdAt", "authenticatedAt", "lastSeenAt",
    "expiresAt", amr, address, device, "timeZone", english)
  SELECT $1, id, $3, $4, ${at}, ${at}, ${at}, ${until}, $7, $8, $9, $10, $11 FROM "Person"
    WHERE id = $2 AND (${version} IS NULL OR "knownVersion" = ${version})`
const newSession = {
  sqlite: { name: 'new-session', sql: insertedSession },
  // Waits for a concurrent transaction that raises the version: it ends all sessions, but cannot see an uncommitted one.
  postgresql: { name: 'new-session', sql: `${insertedSession} FOR SHARE` },
}
const session = {
  name: 'live-session',
  sql: `SELECT s.id, s."firstId", s."publicId", s."personId", s.amr, s."authenticatedAt", s."expiresAt", s."lastSeenAt",
    p.username, p.name, p.nickname, p.biography, p.gender, p.birthdate, p.region, p.locale, p.email, p."avatarFile",
    p."disabledAt", p."deleteAfter", p."mailPausedAt", p."newAppEmail", p."pageLanguage", p."pageTheme"
    FROM "Session" s JOIN "Person" p ON p.id = s."personId" WHERE s.id = $1 AND s."endedAt" IS NULL`,
}
const seenAgain = { name: 'session-seen', sql: 'UPDATE "Session" SET "lastSeenAt" = $2 WHERE id = $1' }
const replaced = {
  name: 'session-replaced',
  sql: 'UPDATE "Session" SET "endedAt" = $2 WHERE id = $1 AND "endedAt" IS NULL',
}

const optional = (value: unknown) => (value === null ? undefined : String(value))
const timeOf = (value: unknown) => toDate(value) as Date

const toSession = (row: Row): Session => ({
  id: String(row.id),
  firstId: String(row.firstId ?? row.id),
  publicId: String(row.publicId),
  personId: String(row.personId),
  amr: String(row.amr).split(' '),
  authenticatedAt: timeOf(row.authenticatedAt),
  expiresAt: timeOf(row.expiresAt),
})

const toPerson = (row: Row): Person => ({
  id: String(row.personId),
  username: String(row.username),
  name: String(row.name),
  nickname: String(row.nickname),
  biography: String(row.biography),
  gender: String(row.gender),
  birthdate: String(row.birthdate),
  region: String(row.region),
  locale: String(row.locale),
  email: optional(row.email),
  avatarFile: optional(row.avatarFile),
  deleteAfter: toDate(row.deleteAfter),
  mailPausedAt: toDate(row.mailPausedAt),
  newAppEmail: row.newAppEmail as NewAppEmail,
  pageLanguage: String(row.pageLanguage),
  pageTheme: String(row.pageTheme),
})
