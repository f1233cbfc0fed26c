import type { Prisma } from '#lib/db/engine/client'
import { listFailures } from '#lib/db/failures/failure-store'
import type { AppMailStore } from '#lib/relay/sender-domains/mail-report'

/** Reports the mail of an app: its refusals, and sums over all its relay addresses, not counts of each address. */
export const appMailStore = (prisma: Prisma): AppMailStore => ({
  async countDeliveries(appId) {
    const { _sum, _max } = await prisma.alias.aggregate({
      where: { appId },
      _sum: { forwarded: true, blocked: true, replied: true },
      _max: { lastMailAt: true },
    })
    return {
      forwarded: _sum.forwarded ?? 0,
      blocked: _sum.blocked ?? 0,
      replied: _sum.replied ?? 0,
      lastMailOn: _max.lastMailAt?.toISOString().slice(0, 'YYYY-MM-DD'.length),
    }
  },
  async listRefusals(appId, most) {
    const failures = await listFailures(prisma, appId, { endpoint: 'relay', most })
    return failures.map(({ code, reason, detail, count, firstAt, lastAt }) => ({
      code,
      reason,
      detail,
      count,
      firstAt,
      lastAt,
    }))
  },
})
