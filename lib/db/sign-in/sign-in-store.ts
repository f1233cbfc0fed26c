import type { Knowable, Remembered, Session, SignInStore } from '#lib/account/signed-in/session'
import type { Prisma } from '#lib/db/engine/client'
import { endSessions } from '#lib/db/logout/end-access'
import type { NewAppEmail } from '#lib/oauth/consent/preselected-email'
import type { TimeForm } from '#lib/text/region/time-form'

const sightings = 5 * 60_000

/** Stores credentials and sessions (security checklist, "People"). */
export const signInStore = (prisma: Prisma, idleDays: number, queued: () => void = () => undefined): SignInStore => ({
  async findCredentials(login, now) {
    const person = await prisma.person.findUnique({
      // No username has an @; the column `email` holds verified addresses only.
      where: login.includes('@') ? { email: login } : { username: login },
      select: { id: true, passwordHash: true, knownVersion: true, disabledAt: true, deleteAfter: true },
    })
    return person && !isGone(person, now)
      ? { personId: person.id, knownVersion: person.knownVersion, passwordHash: person.passwordHash ?? undefined }
      : undefined
  },
  async knownVersion(id) {
    return (await prisma.person.findUnique({ where: { id }, select: { knownVersion: true } }))?.knownVersion
  },
  findRemembered: (known, now) => findRemembered(prisma, known, now),
  async hasSecondFactor(personId) {
    const factor = { OR: [{ totp: { isNot: null } }, { passkeys: { some: {} } }] }
    return (await prisma.person.count({ where: { id: personId, ...factor } })) === 1
  },
  async replacePasswordHash(id, before, passwordHash) {
    await prisma.person.updateMany({ where: { id, passwordHash: before }, data: { passwordHash } })
  },
  async createSession({ amr, firstId = null, ...session }) {
    const at = session.authenticatedAt
    await prisma.session.create({ data: { ...session, firstId, amr: amr.join(' '), createdAt: at, lastSeenAt: at } })
  },
  async findSession(id, now) {
    const row = await prisma.session.findUnique({ where: { id }, include: { person: true } })
    if (!row || row.endedAt || row.expiresAt <= now || isGone(row.person, now)) return undefined
    if (now.getTime() - row.lastSeenAt.getTime() > idleDays * 86_400_000) return undefined
    // Written every few minutes instead of on every page, to save writes.
    if (now.getTime() - row.lastSeenAt.getTime() > sightings) {
      await prisma.session.updateMany({ where: { id }, data: { lastSeenAt: now } })
    }
    const { username, name, nickname, biography, gender, birthdate, region, locale, email, avatarFile } = row.person
    const profile = { name, nickname, biography, gender, birthdate, region, locale }
    const { deleteAfter, mailPausedAt } = row.person
    const bound = {
      email: email ?? undefined,
      avatarFile: avatarFile ?? undefined,
      deleteAfter: deleteAfter ?? undefined,
      mailPausedAt: mailPausedAt ?? undefined,
      newAppEmail: row.person.newAppEmail as NewAppEmail,
      pageLanguage: row.person.pageLanguage,
      pageTheme: row.person.pageTheme,
    }
    return { session: toSession(row), person: { id: row.personId, username, ...profile, ...bound } }
  },
  async endSession(id, now) {
    const count = await prisma.$transaction((tx) => endSessions(tx, { id }, now))
    queued()
    return count === 1
  },
  async endReplacedSession(id, now) {
    await prisma.session.updateMany({ where: { id, endedAt: null }, data: { endedAt: now } })
  },
})

/** Returns whether a person can no longer sign in: disabled, or past the grace period of a deletion. */
export const isGone = (person: { disabledAt: Date | null; deleteAfter: Date | null }, now: Date): boolean =>
  person.disabledAt !== null || (person.deleteAfter !== null && person.deleteAfter <= now)

async function findRemembered(prisma: Prisma, known: Knowable[], now: Date): Promise<Remembered[]> {
  const shown = { id: true, username: true, name: true, avatarFile: true }
  const people = await prisma.person.findMany({
    where: { id: { in: known.map(({ personId }) => personId) } },
    select: { ...shown, knownVersion: true, disabledAt: true, deleteAfter: true },
  })
  return known.flatMap(({ personId, knownVersion }) => {
    const person = people.find((one) => one.id === personId && one.knownVersion === knownVersion)
    if (!person || isGone(person, now)) return []
    const { id, username, name, avatarFile } = person
    return [{ id, username, name, avatarFile: avatarFile ?? undefined }]
  })
}

const toSession = (row: SessionRow): Session => ({
  id: row.id,
  firstId: row.firstId ?? row.id,
  publicId: row.publicId,
  personId: row.personId,
  amr: row.amr.split(' '),
  authenticatedAt: row.authenticatedAt,
  expiresAt: row.expiresAt,
})

type SessionRow = Awaited<ReturnType<Prisma['session']['findUniqueOrThrow']>>

/** Looks up how a person reads letters: the language of the pages, and the form of times of the latest sign-in. */
export const ownerLookups = (prisma: Prisma) => ({
  async pageLanguageOf(username: string): Promise<string | undefined> {
    return (await prisma.person.findUnique({ where: { username }, select: { pageLanguage: true } }))?.pageLanguage
  },
  /** Returns the form of the latest sign-in before a moment, or of the latest at all. */
  async timeFormOf(username: string, before?: Date): Promise<TimeForm | undefined> {
    const found = await prisma.session.findFirst({
      where: { person: { username }, timeZone: { not: '' }, ...(before && { authenticatedAt: { lt: before } }) },
      orderBy: { authenticatedAt: 'desc' },
      select: { timeZone: true, english: true },
    })
    return found ?? undefined
  },
})
