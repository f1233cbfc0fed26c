import type { Account, EmailStore } from '#lib/account/email/store'
import { shownApp, shownTeam } from '#lib/db/apps/shown-app'
import { isUniqueConflict, type Prisma } from '#lib/db/engine/client'
import type { Prisma as Sql } from '#lib/db/generated/sqlite/client'
import { emailCodeStore } from './email-code-store.ts'

/** Stores bound addresses and the codes that prove them (specification §2.7). */
export const emailStore = (prisma: Prisma): EmailStore => ({
  ...emailCodeStore(prisma),
  async findAccount(login) {
    const where = login.includes('@') ? { email: login } : { username: login }
    const row = await prisma.person.findUnique({ where, select: { ...account, disabledAt: true } })
    return row && !row.disabledAt ? accountOf(row) : undefined
  },
  async findOwner(address) {
    const row = await prisma.person.findUnique({ where: { email: address }, select: account })
    return row ? accountOf(row) : undefined
  },
  async bindAddress(personId, { address, before, now }) {
    try {
      const bound = await prisma.$transaction(async (tx) => {
        const where = { id: personId, email: before ?? null }
        const { count } = await tx.person.updateMany({ where, data: { email: address, mailPausedAt: null } })
        if (count === 0) return false
        await tx.formerEmail.deleteMany({ where: { personId, address } })
        if (before !== undefined) await leaveBehind(tx, personId, before, now)
        return true
      })
      return bound ? 'bound' : 'moved'
    } catch (fault) {
      if (!isUniqueConflict(fault)) throw fault
      return 'taken'
    }
  },
  async appsWithAddress(personId) {
    const consents = await prisma.consent.findMany({
      where: { personId, ...sharing },
      select: { app: { select: { id: true, name: true, logoFile: true, registration: true, team: shownTeam } } },
      orderBy: { app: { name: 'asc' } },
    })
    return consents.map(({ app }) => ({ id: app.id, ...shownApp(app, app.team) }))
  },
  confirmAddress(personId, address) {
    return prisma.$transaction(async (tx) => {
      const where = { id: personId, email: address, mailPausedAt: { not: null } }
      const { count } = await tx.person.updateMany({ where, data: { mailPausedAt: null } })
      // Earlier bounces no longer count; otherwise the next bounce would pause the mail again.
      if (count === 1) await tx.returnedMail.deleteMany({ where: { personId } })
      return count === 1
    })
  },
  removeAddress(personId, address, now) {
    return prisma.$transaction(async (tx) => {
      // The condition is part of the statement, so that a concurrent consent that shares the address blocks the removal.
      const where = { id: personId, email: address, consents: { none: sharing } }
      const { count } = await tx.person.updateMany({ where, data: { email: null, mailPausedAt: null } })
      if (count === 1) await leaveBehind(tx, personId, address, now)
      return count === 1
    })
  },
})

/**
 * Requires that the transaction has locked the person's row, so that no other transaction changes their addresses.
 */
async function leaveBehind(tx: Sql.TransactionClient, personId: string, address: string, until: Date): Promise<void> {
  await tx.formerEmail.deleteMany({ where: { personId, address } })
  // The row has no expiry: the relay hides former addresses too, and a reply may quote one after years.
  await tx.formerEmail.create({ data: { personId, address, until } })
  // Bounces of the old address do not count against the new one.
  await tx.returnedMail.deleteMany({ where: { personId } })
}

const sharing = { emailChoice: { not: 'none' } }
const account = { id: true, username: true, email: true, locale: true }

type Row = { id: string; username: string; email: string | null; locale: string }
const accountOf = ({ id, username, email, locale }: Row): Account => ({
  personId: id,
  username,
  email: email ?? undefined,
  locale,
})
