import type { FactorResets } from '#lib/admin/people/store'
import type { Prisma } from '#lib/db/engine/client'
import { queueCredentialChange } from '#lib/db/events/credential-change'
import type { Prisma as Generated } from '#lib/db/generated/sqlite/client'
import { endSessions } from '#lib/db/logout/end-access'
import { typeOfPasskey } from '#lib/db/sign-in/factor-store'
import { removeSecondFactor } from '#lib/db/sign-in/recovery-store'
import { recordAct } from './operator-acts.ts'

/** Stores the pending resets of factors; calls `queued` when logout tokens may be due. */
export const factorResets = (
  prisma: Prisma,
  random: (bytes: number) => Buffer,
  queued: () => void = () => undefined,
): FactorResets => ({
  async pending(personId) {
    const select = { actor: true, reason: true, createdAt: true, dueAt: true } as const
    return (await prisma.factorReset.findUnique({ where: { personId }, select })) ?? undefined
  },
  ask: (personId, { cancelHash, dueAt }, recorded) =>
    prisma.$transaction(async (tx) => {
      // Locks the person, so that of concurrent calls one makes the reset.
      const [person] = await tx.person.updateManyAndReturn({ where: { id: personId }, data: { id: personId } })
      if (!person) return 'unknown'
      if ((await tx.operator.count({ where: { personId } })) > 0) return 'operator'
      if (person.passwordHash === null && person.email === null) return 'no_way_back'
      if ((await tx.factorReset.count({ where: { personId } })) > 0) return 'same'
      const { at: createdAt, actor, reason } = recorded
      await tx.factorReset.create({ data: { personId, cancelHash, actor, reason, createdAt, dueAt } })
      await recordAct(tx, personId, 'reset_asked', recorded)
      return 'changed'
    }),
  cancel: (personId, recorded) =>
    prisma.$transaction(async (tx) => {
      if ((await tx.factorReset.deleteMany({ where: { personId } })).count === 0) return 'same'
      await recordAct(tx, personId, 'reset_cancelled', recorded)
      return 'changed'
    }),
  keepFactors: (which, now) =>
    prisma.$transaction(async (tx) => {
      const reset = await tx.factorReset.findUnique({ where: which as { personId: string } })
      // The deletion decides between concurrent calls, and between this call and the job.
      const { count } = await tx.factorReset.deleteMany({ where: which })
      if (!reset || count === 0) return false
      const [{ personId }, id] = [reset, random(16).toString('base64url')]
      await tx.operatorAct.create({
        data: { id, at: now, actor: '', act: 'reset_kept', personId, target: '', reason: '' },
      })
      const event = { kind: 'factor_reset_kept', detail: '{}', address: '', device: '' }
      await tx.activity.create({ data: { id, personId, at: now, ...event } })
      return true
    }),
  isPending: async (cancelHash) => (await prisma.factorReset.count({ where: { cancelHash } })) === 1,
  async findDue(now, take) {
    const where = { dueAt: { lte: now } }
    const due = await prisma.factorReset.findMany({
      where,
      orderBy: { dueAt: 'asc' },
      take,
      select: { personId: true },
    })
    return due.map(({ personId }) => personId)
  },
  async carryOut(personId, now) {
    const done = await prisma.$transaction((tx) => removeFactors(tx, personId, now, random))
    queued()
    return done
  },
})

/** The deletion of the row is the compare-and-set: a reset that was cancelled or carried out removes nothing. */
async function removeFactors(
  tx: Generated.TransactionClient,
  personId: string,
  now: Date,
  random: (bytes: number) => Buffer,
) {
  const reset = await tx.factorReset.findUnique({ where: { personId } })
  if (!reset || (await tx.factorReset.deleteMany({ where: { personId, dueAt: { lte: now } } })).count === 0)
    return undefined
  const hasWayBack = { OR: [{ passwordHash: { not: null } }, { email: { not: null } }] }
  const [person] = await tx.person.updateManyAndReturn({
    where: { id: personId, operator: { is: null }, ...hasWayBack },
    data: { knownVersion: { increment: 1 } },
  })
  if (!person) return undefined
  for (const passkey of await tx.passkey.findMany({ where: { personId } }))
    await queueCredentialChange(tx, personId, { credential: typeOfPasskey(passkey), change: 'delete' }, now)
  await tx.passkey.deleteMany({ where: { personId } })
  await removeSecondFactor(tx, personId, now)
  await endSessions(tx, { personId }, now)
  const id = random(16).toString('base64url')
  await recordAct(tx, personId, 'factors_reset', { id, at: now, actor: reset.actor, reason: reset.reason })
  return { username: person.username, locale: person.locale, email: person.email ?? undefined }
}
