import { isUniqueConflict, type Prisma } from '#lib/db/engine/client'
import { queueEvent } from '#lib/db/events/queue-events'
import type { Prisma as Sql } from '#lib/db/generated/sqlite/client'
import { revokeAuthorizations } from '#lib/db/logout/end-access'
import type { ConsentRecord, ConsentStore, SubjectStore } from '#lib/oauth/consent/store'

/** Stores consents and pairwise subjects. */
export const consentStore = (prisma: Prisma, queued: () => void = () => undefined): ConsentStore => ({
  ...subjectStore(prisma),
  async findConsent(personId, appId) {
    const row = await prisma.consent.findUnique({ where: { personId_appId: { personId, appId } } })
    return row ? toRecord(row) : undefined
  },
  async replaceConsent({ personId, appId, before, after, now }) {
    if (!before) return createConsent(prisma, { personId, appId, ...toRow(after), createdAt: now, updatedAt: now })
    return prisma.$transaction(async (transaction) => {
      const { count } = await transaction.consent.updateMany({
        where: { personId, appId, ...toRow(before) },
        data: { ...toRow(after), updatedAt: now },
      })
      if (count !== 1) return false
      const active = { personId, appId, revokedAt: null }
      const lost = before.granted.filter((scope) => !after.granted.includes(scope))
      if (lost.length > 0) {
        // Compared here: LIKE ignores case in SQLite, and scopes of APIs may contain its wildcard `_`.
        const held = await transaction.authorization.groupBy({ by: ['scopes'], where: active })
        const ended = held
          .map(({ scopes }) => scopes)
          .filter((scopes) => list(scopes).some((one) => lost.includes(one)))
        await transaction.authorization.updateMany({
          where: { ...active, scopes: { in: ended } },
          data: { revokedAt: now },
        })
      }
      if (after.emailChoice !== before.emailChoice)
        await transaction.authorization.updateMany({
          where: { ...active, emailChoice: { not: 'none' } },
          data: { emailChoice: after.emailChoice },
        })
      if (after.emailChoice !== before.emailChoice)
        await queueEvent(transaction, { personId, appId }, emailChoiceChanged(after), now)
      return true
    })
  },
  async withdrawConsent(personId, appId, now) {
    const withdrawn = await prisma.$transaction(async (transaction) => {
      // Deletes the consent first: a concurrent completion locks the consent until its authorization is committed and
      // can be revoked here.
      const { count } = await transaction.consent.deleteMany({ where: { personId, appId } })
      await revokeAuthorizations(transaction, { personId, appId }, now)
      await queueEvent(transaction, { personId, appId }, { type: 'access-withdrawn', claims: {} }, now)
      return count === 1
    })
    queued()
    return withdrawn
  },
})

function subjectStore(prisma: Prisma): SubjectStore {
  const findSubject = async (personId: string, teamId: string) => {
    const row = await prisma.subject.findUnique({ where: { personId_teamId: { personId, teamId } } })
    return row?.sub
  }
  return {
    findSubject,
    async ensureSubject(personId, teamId, candidate, now) {
      const known = await findSubject(personId, teamId)
      if (known !== undefined) return known
      try {
        await prisma.subject.create({ data: { personId, teamId, sub: candidate, createdAt: now } })
        return candidate
      } catch (fault) {
        if (!isUniqueConflict(fault)) throw fault
        return (await findSubject(personId, teamId)) as string
      }
    },
  }
}

async function createConsent(prisma: Prisma, data: Sql.ConsentUncheckedCreateInput): Promise<boolean> {
  try {
    await prisma.consent.create({ data })
    return true
  } catch (fault) {
    if (!isUniqueConflict(fault)) throw fault
    return false
  }
}

const emailChoiceChanged = ({ emailChoice }: ConsentRecord) =>
  ({ type: 'email-choice-changed', claims: { choice: emailChoice } }) as const

const toRow = ({ granted, declined, emailChoice }: ConsentRecord) => ({
  granted: granted.join(' '),
  declined: declined.join(' '),
  emailChoice,
})

type Row = { granted: string; declined: string; emailChoice: string }

/** Returns the consent record of a row. */
export const toRecord = (row: Row): ConsentRecord => ({
  granted: list(row.granted),
  declined: list(row.declined),
  emailChoice: row.emailChoice as ConsentRecord['emailChoice'],
})

const list = (text: string) => text.split(' ').filter(Boolean)
