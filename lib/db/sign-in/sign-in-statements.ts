import type { Person, Session, SignInStore } from '#lib/account/signed-in/session'
import { type Row, type Statements, toDate } from '#lib/db/engine/statements'
import type { NewAppEmail } from '#lib/oauth/consent/preselected-email'

type FrequentSteps = Pick<
  SignInStore,
  'findCredentials' | 'knownVersion' | 'replacePasswordHash' | 'createSession' | 'findSession' | 'endReplacedSession'
>

const sightings = 5 * 60_000
const day = 86_400_000

/** The steps of every sign-in, and the look-up of the session on every page of a person, as statements below Prisma. */
export function signInStatements({ find, change }: Statements, idleDays: number): FrequentSteps {
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
    async replacePasswordHash(id, before, passwordHash) {
      await change(replacedHash, [id, before, passwordHash])
    },
    async createSession({ id, personId, publicId, firstId, amr, authenticatedAt, expiresAt, ...seen }) {
      const { address, device, timeZone = '', english = '' } = seen
      const texts = [amr.join(' '), address, device, timeZone, english]
      await change(newSession, [id, personId, publicId, firstId, authenticatedAt, expiresAt, ...texts])
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
const replacedHash = {
  name: 'replace-password-hash',
  sql: 'UPDATE "Person" SET "passwordHash" = $3 WHERE id = $1 AND "passwordHash" = $2',
}
const newSession = {
  name: 'new-session',
  sql: `INSERT INTO "Session" (id, "personId", "publicId", "firstId", "createdAt", "authenticatedAt", "lastSeenAt", "expiresAt",
    amr, address, device, "timeZone", english) VALUES ($1, $2, $3, $4, $5, $5, $5, $6, $7, $8, $9, $10, $11)`,
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
