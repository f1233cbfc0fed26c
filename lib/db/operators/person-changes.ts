import type { OperatorPeople } from '#lib/admin/people/store'
import { cancelDeletion, startDeletion } from '#lib/db/account/deletion-store'
import { changeDisabled } from '#lib/db/account/people-store'
import type { Prisma } from '#lib/db/engine/client'
import { queueEvent } from '#lib/db/events/queue-events'
import type { Prisma as Generated } from '#lib/db/generated/sqlite/client'
import { waitStore } from '#lib/db/limits/waits'
import { endSessions, revokeAuthorizations } from '#lib/db/logout/end-access'
import { isLastOperatorNow } from './last-operator.ts'
import { recordAct } from './operator-acts.ts'

type Changes = Pick<OperatorPeople, 'setDisabled' | 'signOut' | 'unlock' | 'askDeletion' | 'keep'>

/** Changes accounts for operators; calls `queued` when logout tokens may be due. */
export function personChanges(prisma: Prisma, queued: () => void): Changes {
  const change = async <Result>(run: (tx: Generated.TransactionClient) => Promise<Result>): Promise<Result> => {
    // A person with tens of thousands of sessions can take longer than the five seconds that Prisma allows.
    const result = await prisma.$transaction(run, { timeout: 60_000 })
    queued()
    return result
  }
  return {
    setDisabled: (personId, isDisabled, recorded) =>
      change(async (tx) => {
        if (isDisabled && (await isLastOperatorNow(tx, personId))) return 'last_operator'
        const outcome = await changeDisabled(tx, personId, isDisabled, recorded.at)
        if (outcome === 'changed') await recordAct(tx, personId, isDisabled ? 'disabled' : 'enabled', recorded)
        return outcome
      }),
    signOut: (personId, recorded) =>
      change(async (tx) => {
        // Browsers of the person are no longer known, and must prove themselves like new ones.
        const known = { where: { id: personId }, data: { knownVersion: { increment: 1 } } }
        if ((await tx.person.updateMany(known)).count === 0) return 'unknown'
        await endSessions(tx, { personId }, recorded.at)
        await revokeAuthorizations(tx, { personId }, recorded.at)
        await queueEvent(tx, { personId }, { type: 'access-withdrawn', claims: {} }, recorded.at)
        await recordAct(tx, personId, 'signed_out', recorded)
        return 'changed'
      }),
    unlock: (personId, keys, recorded) =>
      change(async (tx) => {
        if ((await tx.person.count({ where: { id: personId } })) === 0) return 'unknown'
        await waitStore(tx).end(keys)
        await recordAct(tx, personId, 'unlocked', recorded)
        return 'changed'
      }),
    askDeletion: (personId, deleteAfter, recorded) =>
      change(async (tx) => {
        if ((await tx.person.count({ where: { id: personId } })) === 0) return 'unknown'
        if (await isLastOperatorNow(tx, personId)) return 'last_operator'
        if (!(await startDeletion(tx, personId, { now: recorded.at, deleteAfter, keepSession: '' }))) return 'same'
        await recordAct(tx, personId, 'deletion_asked', recorded)
        return 'changed'
      }),
    keep: (personId, recorded) =>
      change(async (tx) => {
        if (!(await cancelDeletion(tx, personId, recorded.at))) return 'same'
        await recordAct(tx, personId, 'deletion_cancelled', recorded)
        return 'changed'
      }),
  }
}
