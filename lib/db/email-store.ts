import type { Account, EmailStore } from '#lib/account/email-binding'
import type { Prisma } from './client.ts'
import { isUniqueConflict } from './conflict.ts'
import { emailCodeStore } from './email-code-store.ts'

/** Bound addresses and the codes that prove them (spec §2.7). */
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
  async bindAddress(personId, address, before) {
    try {
      const where = { id: personId, email: before ?? null }
      const { count } = await prisma.person.updateMany({ where, data: { email: address } })
      return count === 1 ? 'bound' : 'moved'
    } catch (fault) {
      if (!isUniqueConflict(fault)) throw fault
      return 'taken'
    }
  },
  async appsWithAddress(personId) {
    const consents = await prisma.consent.findMany({
      where: { personId, ...sharing },
      select: { app: { select: { id: true, name: true, logoFile: true } } },
      orderBy: { app: { name: 'asc' } },
    })
    return consents.map(({ app }) => ({ ...app, logoFile: app.logoFile ?? undefined }))
  },
  async removeAddress(personId, address) {
    // An app that is allowed to write at this very moment counts: the condition stands in the statement.
    const where = { id: personId, email: address, consents: { none: sharing } }
    return (await prisma.person.updateMany({ where, data: { email: null } })).count === 1
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
