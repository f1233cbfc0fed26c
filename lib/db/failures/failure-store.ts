import type { Failure, FailureQuery, FailureStore, NewFailure } from '#lib/console/failures/failure'
import { isUniqueConflict, type Prisma } from '#lib/db/engine/client'

/** The most rows of an app, and of one of its causes. */
export type FailureBounds = { mostDistinct: number; mostOfCause: number }

/**
 * Counts a failure: equal failures share a row. Beyond the bounds, a failure with new values shares the row of its cause,
 * so that a flood of made-up values neither grows the table nor removes other failures. Deletes nothing: the sweep
 * deletes rows after seven days.
 */
export async function recordFailure(prisma: Prisma, failure: NewFailure, times: number, bounds: FailureBounds) {
  if (await countAgain(prisma, failure, times)) return
  const isOwnRow = failure.id === failure.causeId || (await hasRoom(prisma, failure, bounds))
  const row = isOwnRow ? failure : { ...failure, id: failure.causeId, isMerged: true }
  if (!isOwnRow && (await countAgain(prisma, row, times))) return
  const { at, detail: _, isMerged: __, ...fields } = row
  try {
    const data = { ...fields, detail: detailOf(row), count: times, firstAt: at, lastAt: at }
    await prisma.failure.create({ data })
  } catch (fault) {
    if (!isUniqueConflict(fault)) throw fault
    await countAgain(prisma, row, times)
  }
}

/** Marks the detail of a row that counts failures with different values. */
const merged = 'merged'

async function countAgain(prisma: Prisma, failure: NewFailure, times: number): Promise<boolean> {
  const data = { count: { increment: times }, lastAt: failure.at, detail: detailOf(failure) }
  return (await prisma.failure.updateMany({ where: { id: failure.id }, data })).count > 0
}

const detailOf = ({ detail, isMerged }: NewFailure) => JSON.stringify(isMerged ? { ...detail, [merged]: 1 } : detail)

/** Counts at most as many rows as the bounds allow, by index. Two nodes at once may exceed a bound by a row. */
async function hasRoom(prisma: Prisma, { appId, causeId }: NewFailure, { mostDistinct, mostOfCause }: FailureBounds) {
  const ofCause = await prisma.failure.count({ where: { appId, causeId }, take: mostOfCause })
  if (ofCause >= mostOfCause) return false
  return (await prisma.failure.count({ where: { appId }, take: mostDistinct })) < mostDistinct
}

const ofMail = 'relay'

/** Reads failures for the console. Those of mail have a page of their own. */
export const failureStore = (prisma: Prisma): FailureStore => ({
  list: (appId, { endpoint = { not: ofMail }, ...query }) => listFailures(prisma, appId, { ...query, endpoint }),
  async listEndpoints(appId) {
    const rows = await prisma.failure.groupBy({ by: ['endpoint'], where: { appId, endpoint: { not: ofMail } } })
    return rows.map(({ endpoint }) => endpoint).sort()
  },
})

type Listing = Omit<FailureQuery, 'endpoint'> & { endpoint?: string | { not: string } | undefined }

/** Lists the failures of an app, the newest first. */
export async function listFailures(prisma: Prisma, appId: string, { endpoint, after, most }: Listing) {
  const rows = await prisma.failure.findMany({
    where: {
      appId,
      ...(endpoint !== undefined && { endpoint }),
      // The first condition lets the index find the place; the second one leaves out what the page before showed.
      ...(after && {
        lastAt: { lte: after.lastAt },
        OR: [{ lastAt: { lt: after.lastAt } }, { id: { lt: after.id } }],
      }),
    },
    orderBy: [{ lastAt: 'desc' }, { id: 'desc' }],
    take: most,
  })
  return rows.map(({ appId: _app, causeId: _cause, detail, ...row }): Failure => {
    const { [merged]: mark, ...values } = JSON.parse(detail) as Failure['detail']
    return { ...row, detail: values, isMerged: mark !== undefined }
  })
}
