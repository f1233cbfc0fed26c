import { randomUUID } from 'node:crypto'
import type { UndoRecord } from '#lib/account/email/store'
import type { Prisma as Sql } from '#lib/db/generated/sqlite/client'

/** The address that an account gives up; `replacedBy` is empty when it has none any more. */
type Previous = { address: string; replacedBy: string; now: Date }

/**
 * Keeps the address that a person no longer has. Requires that the transaction has locked the person's row, so that no other
 * transaction changes their addresses.
 */
export async function leaveBehind(tx: Sql.TransactionClient, personId: string, previous: Previous): Promise<void> {
  const { address, now: until } = previous
  await tx.formerEmail.deleteMany({ where: { personId, address } })
  // The row has no expiry: the relay hides former addresses too, and a reply may quote one after years.
  await tx.formerEmail.create({ data: { personId, address, until } })
  // Bounces of the old address do not count against the new one.
  await tx.returnedMail.deleteMany({ where: { personId } })
}

/** Stores the undo of a change, which also reserves the previous address. */
export async function storeUndo(
  tx: Sql.TransactionClient,
  personId: string,
  { address: oldAddress, replacedBy: newAddress, now: changedAt }: Previous,
  { sessionId, undoHash, expiresAt }: UndoRecord,
): Promise<void> {
  const data = { id: randomUUID(), personId, oldAddress, newAddress, sessionId, changedAt, expiresAt }
  await tx.emailChange.create({ data: { ...data, undoHash: undoHash ?? null } })
}

type Claim = { personId: string; now: Date }
type Reader = Pick<Sql.TransactionClient, 'emailChange'>

/** Returns those of the addresses that other accounts gave up so lately that they can take them back. */
export async function findReserved(reader: Reader, addresses: string[], { personId, now }: Claim): Promise<string[]> {
  const where = { oldAddress: { in: addresses }, personId: { not: personId }, expiresAt: { gt: now }, undoneAt: null }
  const rows = await reader.emailChange.findMany({ where, select: { oldAddress: true } })
  return rows.map(({ oldAddress }) => oldAddress)
}

/** Thrown when an address is reserved for another account, to roll the transaction back. */
export class AddressReserved extends Error {}

/**
 * Throws if another account can take the address back. Requires that the transaction has written the address: the unique
 * index made that statement wait for a concurrent change that gives the address up, so that this one reads its row.
 */
export async function refuseReserved(tx: Reader, address: string, claim: Claim): Promise<void> {
  if ((await findReserved(tx, [address], claim)).length > 0) throw new AddressReserved()
}
