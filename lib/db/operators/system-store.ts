import type { SystemState } from '#lib/admin/system'
import type { Prisma } from '#lib/db/engine/client'

/** Reads the health of mail for operators. */
export const systemStore = (prisma: Prisma) => ({
  async read(now: Date): Promise<Pick<SystemState, 'mail'>> {
    const [bounces, onHold] = await Promise.all([
      prisma.returnedMail.count({ where: { at: { gt: new Date(now.getTime() - 86_400_000) } } }),
      prisma.person.count({ where: { mailPausedAt: { not: null } } }),
    ])
    return { mail: { bounces, onHold } }
  },
})
