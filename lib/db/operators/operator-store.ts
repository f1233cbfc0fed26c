import type { OperatorStore } from '#lib/admin/operators/store'
import { isUniqueConflict, type Prisma } from '#lib/db/engine/client'
import { isLastOperator, isLastOperatorNow } from './last-operator.ts'

/** Stores who is an operator. */
export const operatorStore = (prisma: Prisma): OperatorStore => ({
  async isOperator(personId) {
    return (await prisma.operator.count({ where: { personId } })) === 1
  },
  async list() {
    const rows = await prisma.operator.findMany({
      include: { person: { select: { username: true } } },
      orderBy: { grantedAt: 'asc' },
    })
    return rows.map(({ person, grantedAt }) => ({ username: person.username, grantedAt }))
  },
  async add(personId, grantedAt) {
    try {
      await prisma.$transaction(async (tx) => {
        await tx.operator.create({ data: { personId, grantedAt } })
        await tx.factorReset.deleteMany({ where: { personId } })
      })
      return true
    } catch (fault) {
      if (isUniqueConflict(fault)) return false
      throw fault
    }
  },
  remove: (personId, evenLast) =>
    prisma.$transaction(async (tx) => {
      if ((await isLastOperatorNow(tx, personId)) && !evenLast) return 'last'
      return (await tx.operator.deleteMany({ where: { personId } })).count === 1 ? 'removed' : 'no operator'
    }),
  isLast: (personId) => isLastOperator(prisma, personId),
})
