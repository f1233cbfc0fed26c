import type { ProfileField, ProfileStore } from '#lib/account/profile/profile'
import type { Prisma } from '#lib/db/engine/client'

/** Stores the profiles of people (specification §2.7). */
export const profileStore = (prisma: Prisma): ProfileStore => ({
  save(personId, profile, now) {
    const fields = Object.keys(profile) as ProfileField[]
    return prisma.$transaction(async (tx) => {
      const stored = await tx.person.findUnique({ where: { id: personId } })
      const changed = stored ? fields.filter((field) => stored[field] !== profile[field]) : []
      if (changed.length === 0) return []
      // Changes the profile once for a double submit: the second update finds no different value.
      const { count } = await tx.person.updateMany({
        where: { id: personId, OR: changed.map((field) => ({ NOT: { [field]: profile[field] } })) },
        data: { ...profile, profileUpdatedAt: now },
      })
      return count === 1 ? changed : []
    })
  },
  async setPageLook(id, look) {
    await prisma.person.updateMany({ where: { id }, data: look })
  },
  setPicture(personId, picture, now) {
    return prisma.$transaction(async (tx) => {
      // Locks the row first, so that the second of two concurrent changes removes the picture that the first one stored.
      const { count } = await tx.person.updateMany({
        where: { id: personId, ...(!picture && { avatarFile: { not: null } }) },
        data: { profileUpdatedAt: now },
      })
      if (count === 0) return false
      const before = await tx.person.findUniqueOrThrow({ where: { id: personId }, select: { avatarFile: true } })
      if (picture) await tx.picture.create({ data: { ...picture, createdAt: now } })
      await tx.person.update({ where: { id: personId }, data: { avatarFile: picture?.file ?? null } })
      if (before.avatarFile !== null) await tx.picture.deleteMany({ where: { file: before.avatarFile } })
      return true
    })
  },
})
