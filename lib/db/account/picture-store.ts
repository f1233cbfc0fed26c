import type { PictureStore } from '#lib/account/profile/serve-picture'
import type { Prisma } from '#lib/db/engine/client'

/** Stores avatars and logos in the database, so that every node serves them. */
export const pictureStore = (prisma: Prisma): PictureStore => ({
  find: async (file) =>
    (await prisma.picture.findUnique({ where: { file }, select: { mediaType: true, bytes: true } })) ?? undefined,
})
