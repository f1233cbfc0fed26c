import { isUniqueConflict, type Prisma } from '#lib/db/engine/client'

export type AppFailure = {
  id: string
  appId: string
  endpoint: string
  code: string
  reason: string
  detail: string
  at: Date
}

const ring = 200

/**
 * Adds a refusal to its app's recent failures: equal refusals share a row with a count; only the latest 200 rows are
 * kept (design §9).
 */
export async function recordFailure(prisma: Prisma, failure: AppFailure, times = 1): Promise<void> {
  const { at, ...fields } = failure
  const countAgain = () =>
    prisma.failure.updateMany({
      where: { id: failure.id },
      data: { count: { increment: times }, lastAt: at, detail: failure.detail },
    })
  if ((await countAgain()).count > 0) return
  try {
    await prisma.failure.create({ data: { ...fields, count: times, firstAt: at, lastAt: at } })
  } catch (fault) {
    if (!isUniqueConflict(fault)) throw fault
    await countAgain()
  }
  const old = await prisma.failure.findMany({
    where: { appId: failure.appId },
    orderBy: { lastAt: 'desc' },
    skip: ring,
    select: { id: true },
  })
  if (old.length > 0) await prisma.failure.deleteMany({ where: { id: { in: old.map(({ id }) => id) } } })
}

/** Lists the refusals of an app, newest first. */
export async function listFailures(prisma: Prisma, appId: string, only: { endpoint?: string } = {}, most = ring) {
  const rows = await prisma.failure.findMany({ where: { appId, ...only }, orderBy: { lastAt: 'desc' }, take: most })
  return rows.map(({ endpoint, code, reason, detail, count, firstAt, lastAt }) => ({
    endpoint,
    code,
    reason,
    detail: JSON.parse(detail) as unknown,
    count,
    firstAt,
    lastAt,
  }))
}
