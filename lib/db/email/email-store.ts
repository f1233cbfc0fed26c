import type { Account, EmailStore } from '#lib/account/email/store'
import { shownApp, shownTeam } from '#lib/db/apps/shown-app'
import { isUniqueConflict, type Prisma } from '#lib/db/engine/client'
import { emailCodeStore } from './email-code-store.ts'
import { AddressReserved, findReserved, leaveBehind, refuseReserved, storeUndo } from './previous-address.ts'

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
  async isReserved(address, personId, now) {
    return (await findReserved(prisma, [address], { personId, now })).length > 0
  },
  async bindAddress(personId, { address, before, now, undo }) {
    try {
      const bound = await prisma.$transaction(async (tx) => {
        const where = { id: personId, email: before ?? null }
        const { count } = await tx.person.updateMany({ where, data: { email: address, mailPausedAt: null } })
        if (count === 0) return false
        await refuseReserved(tx, address, { personId, now })
        await tx.formerEmail.deleteMany({ where: { personId, address } })
        if (before === undefined) return true
        const previous = { address: before, replacedBy: address, now }
        await leaveBehind(tx, personId, previous)
        await storeUndo(tx, personId, previous, undo)
        return true
      })
      return bound ? 'bound' : 'moved'
    } catch (fault) {
      if (!isUniqueConflict(fault) && !(fault instanceof AddressReserved)) throw fault
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
  removeAddress(personId, { address, now, undo }) {
    return prisma.$transaction(async (tx) => {
      // The condition is part of the statement, so that a concurrent consent that shares the address blocks the removal.
      const where = { id: personId, email: address, consents: { none: sharing } }
      const { count } = await tx.person.updateMany({ where, data: { email: null, mailPausedAt: null } })
      if (count === 0) return false
      const previous = { address, replacedBy: '', now }
      await leaveBehind(tx, personId, previous)
      await storeUndo(tx, personId, previous, undo)
      return true
    })
  },
})

const sharing = { emailChoice: { not: 'none' } }
const account = { id: true, username: true, email: true, locale: true }

type Row = { id: string; username: string; email: string | null; locale: string }
const accountOf = ({ id, username, email, locale }: Row): Account => ({
  personId: id,
  username,
  email: email ?? undefined,
  locale,
})
