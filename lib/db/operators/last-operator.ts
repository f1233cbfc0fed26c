import type { Prisma } from '#lib/db/generated/sqlite/client'

/** Matches an operator who can act: an account that is disabled or about to be deleted cannot. */
const active = { person: { disabledAt: null, deleteAfter: null } }

type Reader = Pick<Prisma.TransactionClient, 'operator'>

/** Returns whether a person is an operator and no other operator could act. */
export async function isLastOperator(reader: Reader, personId: string): Promise<boolean> {
  if ((await reader.operator.count({ where: { personId } })) === 0) return false
  return (await reader.operator.count({ where: { ...active, personId: { not: personId } } })) === 0
}

/**
 * Returns whether a person is the last operator who can act, after it has locked all operators, in one order: of two who
 * lose the role at the same time, one stays.
 */
export async function isLastOperatorNow(tx: Prisma.TransactionClient, personId: string): Promise<boolean> {
  if ((await tx.operator.count({ where: { personId } })) === 0) return false
  const all = await tx.operator.findMany({ select: { personId: true }, orderBy: { personId: 'asc' } })
  for (const one of all) await tx.operator.updateMany({ where: one, data: one })
  return isLastOperator(tx, personId)
}
