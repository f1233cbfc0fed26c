import type { SystemState } from '#lib/admin/system'
import type { Prisma } from '#lib/db/engine/client'

/** Reads the jobs and the health of mail for operators. */
export const systemStore = (prisma: Prisma) => ({
  async read(now: Date): Promise<Pick<SystemState, 'jobs' | 'mail'>> {
    const [jobs, bounces, onHold] = await Promise.all([
      // The row that readiness writes has no holder.
      prisma.lease.findMany({ where: { holder: { not: '' } }, orderBy: { name: 'asc' }, take: 100 }),
      prisma.returnedMail.count({ where: { at: { gt: new Date(now.getTime() - 86_400_000) } } }),
      prisma.person.count({ where: { mailPausedAt: { not: null } } }),
    ])
    return { jobs, mail: { bounces, onHold } }
  },
})
