import type { Prisma } from './client.ts'

export type Sweep = { table: string; run(now: Date, batch: number): Promise<number> }

/** Every table that grows with traffic, and how its expired rows go: a small batch at a time. */
export function sweeps(prisma: Prisma): Sweep[] {
  return [...protocolSweeps(prisma), ...relaySweeps(prisma)]
}

const day = 86_400_000
const activityDays = 400

function protocolSweeps(prisma: Prisma): Sweep[] {
  return [
    {
      table: 'Authorization',
      run: async (now, take) => {
        const old = await prisma.authorization.findMany({
          where: { keepUntil: { lte: now } },
          take,
          select: { id: true },
        })
        return remove(old, () => prisma.authorization.deleteMany({ where: { id: { in: old.map(({ id }) => id) } } }))
      },
    },
    {
      table: 'RevokedToken',
      run: async (now, take) => {
        const old = await prisma.revokedToken.findMany({ where: { expiresAt: { lte: now } }, take })
        return remove(old, () => prisma.revokedToken.deleteMany({ where: { jti: { in: old.map(({ jti }) => jti) } } }))
      },
    },
    {
      table: 'UsedAssertion',
      run: async (now, take) => {
        const old = await prisma.usedAssertion.findMany({ where: { expiresAt: { lte: now } }, take })
        return remove(old, () => prisma.usedAssertion.deleteMany({ where: { id: { in: old.map(({ id }) => id) } } }))
      },
    },
    {
      table: 'Session',
      run: async (now, take) => {
        const old = await prisma.session.findMany({ where: { expiresAt: { lte: now } }, take, select: { id: true } })
        return remove(old, () => prisma.session.deleteMany({ where: { id: { in: old.map(({ id }) => id) } } }))
      },
    },
    {
      // A year and a month: what happened a year ago can still be looked up.
      table: 'Activity',
      run: async (now, take) => {
        const at = { lte: new Date(now.getTime() - activityDays * day) }
        const old = await prisma.activity.findMany({ where: { at }, take, select: { id: true } })
        return remove(old, () => prisma.activity.deleteMany({ where: among(old, { at }) }))
      },
    },
    {
      table: 'EmailCode',
      run: async (now, take) => {
        // Expired codes still count letters: they go when no delay can depend on them.
        const expiresAt = { lte: new Date(now.getTime() - 3_600_000) }
        const old = await prisma.emailCode.findMany({ where: { expiresAt }, take, select: { hash: true } })
        const hashes = old.map(({ hash }) => hash)
        return remove(old, () => prisma.emailCode.deleteMany({ where: { hash: { in: hashes }, expiresAt } }))
      },
    },
    {
      // Whoever comes late is still told that it is over, not that it never was.
      table: 'Invitation',
      run: async (now, take) => {
        const expiresAt = { lte: new Date(now.getTime() - 30 * day) }
        const old = await prisma.invitation.findMany({ where: { expiresAt }, take, select: { hash: true } })
        const hashes = old.map(({ hash }) => hash)
        return remove(old, () => prisma.invitation.deleteMany({ where: { hash: { in: hashes }, expiresAt } }))
      },
    },
    {
      table: 'Attempt',
      run: async (now, take) => {
        const old = await prisma.attempt.findMany({ where: { expire: { lte: now } }, take, select: { key: true } })
        const keys = old.map(({ key }) => key)
        // A key may have begun a new window meanwhile: the condition stands in the statement that deletes.
        return remove(old, () => prisma.attempt.deleteMany({ where: { key: { in: keys }, expire: { lte: now } } }))
      },
    },
  ]
}

/** What mail leaves behind (relay §§1, 6, 7): marks by which a message or a thread is known again, and counts of a day. */
function relaySweeps(prisma: Prisma): Sweep[] {
  return [
    {
      table: 'RelayReceipt',
      run: async (now, take) => {
        const expired = { expiresAt: { lte: now } }
        const old = await prisma.relayReceipt.findMany({ where: expired, take, select: { id: true } })
        return remove(old, () => prisma.relayReceipt.deleteMany({ where: among(old, expired) }))
      },
    },
    {
      table: 'ThreadMark',
      run: async (now, take) => {
        const expired = { expiresAt: { lte: now } }
        const old = await prisma.threadMark.findMany({ where: expired, take, select: { id: true } })
        return remove(old, () => prisma.threadMark.deleteMany({ where: among(old, expired) }))
      },
    },
    {
      // Long after the last message under it nobody answers any more.
      table: 'ReverseAddress',
      run: async (now, take) => {
        const lastUsedAt = { lte: new Date(now.getTime() - 2 * 365 * day) }
        const old = await prisma.reverseAddress.findMany({ where: { lastUsedAt }, take, select: { token: true } })
        const tokens = old.map(({ token }) => token)
        return remove(old, () => prisma.reverseAddress.deleteMany({ where: { token: { in: tokens }, lastUsedAt } }))
      },
    },
    {
      table: 'ReturnedMail',
      run: async (now, take) => {
        const at = { lte: new Date(now.getTime() - 2 * day) }
        const old = await prisma.returnedMail.findMany({ where: { at }, take, select: { id: true } })
        return remove(old, () => prisma.returnedMail.deleteMany({ where: among(old, { at }) }))
      },
    },
  ]
}

/** What was found, unless it was renewed meanwhile. */
const among = <T>(rows: { id: string }[], still: T) => ({ id: { in: rows.map(({ id }) => id) }, ...still })

const remove = async (rows: unknown[], run: () => Promise<{ count: number }>) =>
  rows.length === 0 ? 0 : (await run()).count
