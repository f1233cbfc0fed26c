import type { Prisma } from '#lib/db/engine/client'

/** Avatars and logos, in the database so that every node serves them. */
export const pictureStore = (prisma: Prisma) => ({
  async find(file: string): Promise<{ mediaType: string; bytes: Uint8Array<ArrayBuffer> } | undefined> {
    return (await prisma.picture.findUnique({ where: { file }, select: { mediaType: true, bytes: true } })) ?? undefined
  },
})
