import type { Prisma } from './client.ts'

/** Avatars and logos, in the database so that every node serves them. */
export const pictureStore = (prisma: Prisma) => ({
  async find(file: string): Promise<{ mediaType: string; bytes: Uint8Array<ArrayBuffer> } | undefined> {
    return (await prisma.picture.findUnique({ where: { file }, select: { mediaType: true, bytes: true } })) ?? undefined
  },
})
