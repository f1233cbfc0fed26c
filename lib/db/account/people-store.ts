import type { NewPicture, PeopleStore } from '#lib/account/person/people-store'
import type { Prisma } from '#lib/db/engine/client'

/** Manages people for the operator. */
export function makePeopleStore(prisma: Prisma): PeopleStore {
  return {
    async list() {
      const rows = await prisma.person.findMany({ orderBy: { username: 'asc' } })
      return rows.map(({ username, email, name, locale, avatarFile, createdAt, disabledAt }) => ({
        username,
        email,
        name,
        locale,
        hasPicture: avatarFile !== null,
        createdAt,
        disabledAt,
      }))
    },
    setDisabled: (username, at) => setDisabled(prisma, username, at),
    setPicture: (username, picture, now) => setPicture(prisma, username, picture, now),
  }
}

/** Disables a person and ends their sessions and tokens; a person who is disabled already keeps the earlier time. */
function setDisabled(prisma: Prisma, username: string, at: Date | null): Promise<boolean> {
  return prisma.$transaction(async (tx) => {
    const person = await tx.person.findUnique({ where: { username } })
    if (!person) return false
    if (Boolean(person.disabledAt) !== Boolean(at)) {
      await tx.person.update({ where: { username }, data: { disabledAt: at } })
    }
    if (!at) return true
    await tx.session.updateMany({ where: { personId: person.id, endedAt: null }, data: { endedAt: at } })
    await tx.authorization.updateMany({ where: { personId: person.id, revokedAt: null }, data: { revokedAt: at } })
    return true
  })
}

function setPicture(prisma: Prisma, username: string, picture: NewPicture, now: Date): Promise<boolean> {
  return prisma.$transaction(async (tx) => {
    const person = await tx.person.findUnique({ where: { username }, select: { avatarFile: true } })
    if (!person) return false
    await tx.picture.create({ data: { ...picture, createdAt: now } })
    await tx.person.update({ where: { username }, data: { avatarFile: picture.file, profileUpdatedAt: now } })
    if (person.avatarFile) await tx.picture.deleteMany({ where: { file: person.avatarFile } })
    return true
  })
}
