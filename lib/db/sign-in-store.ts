import type { Session, SignInStore } from '#lib/account/session'
import type { Prisma } from './client.ts'

const idle = 14 * 86_400_000
const sightings = 5 * 60_000

/** Credentials and sessions (security checklist, "People"). */
export const signInStore = (prisma: Prisma): SignInStore => ({
  async findCredentials(username) {
    const person = await prisma.person.findUnique({
      where: { username },
      select: { id: true, passwordHash: true, disabledAt: true },
    })
    return person && !person.disabledAt
      ? { personId: person.id, passwordHash: person.passwordHash ?? undefined }
      : undefined
  },
  async replacePasswordHash(id, passwordHash) {
    await prisma.person.update({ where: { id }, data: { passwordHash } })
  },
  async createSession({ amr, ...session }) {
    const at = session.authenticatedAt
    await prisma.session.create({ data: { ...session, amr: amr.join(' '), createdAt: at, lastSeenAt: at } })
  },
  async findSession(id, now) {
    const row = await prisma.session.findUnique({ where: { id }, include: { person: true } })
    if (!row || row.endedAt || row.expiresAt <= now || row.person.disabledAt) return undefined
    if (now.getTime() - row.lastSeenAt.getTime() > idle) return undefined
    // Written now and then, not with every page.
    if (now.getTime() - row.lastSeenAt.getTime() > sightings) {
      await prisma.session.updateMany({ where: { id }, data: { lastSeenAt: now } })
    }
    const session: Session = {
      id,
      publicId: row.publicId,
      personId: row.personId,
      amr: row.amr.split(' '),
      authenticatedAt: row.authenticatedAt,
    }
    const { username, name, nickname, biography, gender, birthdate, region, locale, email, avatarFile } = row.person
    const profile = { name, nickname, biography, gender, birthdate, region, locale }
    const bound = { email: email ?? undefined, avatarFile: avatarFile ?? undefined }
    return { session, person: { id: row.personId, username, ...profile, ...bound } }
  },
  async endSession(id, now) {
    await prisma.session.updateMany({ where: { id, endedAt: null }, data: { endedAt: now } })
  },
})
