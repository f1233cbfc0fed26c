import type { EmailUndoStore } from '#lib/account/email/store'
import { isUniqueConflict, type Prisma } from '#lib/db/engine/client'
import type { Prisma as Sql } from '#lib/db/generated/sqlite/client'
import { endSessions } from '#lib/db/logout/end-access'
import { isGone } from '#lib/db/sign-in/sign-in-statements'
import { leaveBehind } from './previous-address.ts'

/** Undoes changes of bound addresses; calls `queued` when logout tokens may be due. */
export const emailUndoStore = (prisma: Prisma, queued: () => void = () => undefined): EmailUndoStore => ({
  async find(undoHash, now) {
    const row = await prisma.emailChange.findUnique({
      where: { undoHash },
      include: { person: { select: { username: true, disabledAt: true, deleteAfter: true } } },
    })
    if (!row || row.undoneAt || row.expiresAt <= now || isGone(row.person, now)) return undefined
    const { personId, oldAddress, newAddress, changedAt } = row
    return { personId, username: row.person.username, oldAddress, newAddress, changedAt }
  },
  async undo(undoHash, now) {
    try {
      const undone = await prisma.$transaction((tx) => undoChange(tx, undoHash, now))
      queued()
      return undone
    } catch (fault) {
      if (!isUniqueConflict(fault)) throw fault
      return 'taken'
    }
  },
})

async function undoChange(tx: Sql.TransactionClient, undoHash: string, now: Date) {
  const found = await tx.emailChange.findUnique({ where: { undoHash }, select: { personId: true } })
  if (!found) return 'over'
  const { personId } = found
  // Locks the person before the change, as every change of an address does: two undos of one person cannot deadlock.
  const person = await lockPerson(tx, personId, now)
  const live = { undoHash, undoneAt: null, expiresAt: { gt: now } }
  if (!person || (await tx.emailChange.updateMany({ where: live, data: { undoneAt: now } })).count === 0) return 'over'
  const change = await tx.emailChange.findUniqueOrThrow({ where: { undoHash } })
  const { oldAddress: restored, changedAt } = change
  const [replaced, { username, locale }] = [person.email ?? undefined, person]
  // Browsers that signed in since are no longer known (security checklist, "People").
  const data = { email: restored, mailPausedAt: null, knownVersion: { increment: 1 } }
  await tx.person.updateMany({ where: { id: personId }, data })
  await tx.formerEmail.deleteMany({ where: { personId, address: restored } })
  if (replaced !== undefined && replaced !== restored)
    await leaveBehind(tx, personId, { address: replaced, replacedBy: restored, now })
  await tx.emailCode.updateMany({ where: { personId }, data: { hash: '' } })
  const since = { personId, changedAt: { gte: changedAt } }
  const makers = await tx.emailChange.findMany({ where: since, select: { sessionId: true } })
  // The undo of a later change would bring back an address that came with this one.
  await tx.emailChange.updateMany({ where: { ...since, undoneAt: null }, data: { undoneAt: now } })
  const ids = makers.map(({ sessionId }) => sessionId)
  const sessions = await endSessions(
    tx,
    { personId, OR: [{ createdAt: { gte: changedAt } }, { id: { in: ids } }] },
    now,
  )
  return { personId, username, locale, restored, replaced, sessions }
}

/** Locks a person who is neither disabled nor due for deletion. */
async function lockPerson(tx: Sql.TransactionClient, id: string, now: Date) {
  const [person] = await tx.person.updateManyAndReturn({ where: { id }, data: { id } })
  return person && !isGone(person, now) ? person : undefined
}
