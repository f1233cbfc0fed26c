import type { PersonView } from '#lib/admin/people/store'
import type { Prisma } from '#lib/db/generated/sqlite/client'

/** Reads a person as an operator sees them. Lists every column by name, so that a secret added later is not read. */
export async function readPerson(tx: Prisma.TransactionClient, id: string, now: Date): Promise<PersonView | undefined> {
  const row = await tx.person.findUnique({ where: { id }, select: { ...shown, sessions: liveSessions(now) } })
  if (!row) return undefined
  const { passwordHash, totp, recoveryCodes, sessions, operator, factorReset, _count, ...same } = row
  const [code] = recoveryCodes
  return {
    ...same,
    hasPassword: passwordHash !== null,
    authenticatorSince: totp?.createdAt ?? null,
    recoveryCodes: code && { left: recoveryCodes.filter(({ usedAt }) => !usedAt).length, madeAt: code.createdAt },
    sessions: sessions.length,
    lastSeenAt: sessions[0]?.lastSeenAt ?? null,
    apps: _count.consents,
    isOperator: operator !== null,
    reset: factorReset ?? undefined,
  }
}

const liveSessions = (now: Date) =>
  ({
    where: { endedAt: null, expiresAt: { gt: now } },
    select: { lastSeenAt: true },
    orderBy: { lastSeenAt: 'desc' },
    take: 1000,
  }) as const

const shown = {
  id: true,
  username: true,
  name: true,
  email: true,
  locale: true,
  createdAt: true,
  disabledAt: true,
  deleteAfter: true,
  mailPausedAt: true,
  passwordHash: true,
  passwordSetAt: true,
  passkeys: { select: { createdAt: true, lastUsedAt: true }, orderBy: { createdAt: 'asc' } },
  totp: { select: { createdAt: true } },
  recoveryCodes: { select: { usedAt: true, createdAt: true } },
  operator: { select: { personId: true } },
  factorReset: { select: { actor: true, reason: true, createdAt: true, dueAt: true } },
  _count: { select: { consents: true } },
} as const satisfies Prisma.PersonSelect
