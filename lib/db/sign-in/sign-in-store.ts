import type { SignInStore } from '#lib/account/signed-in/session'
import type { Database, Prisma } from '#lib/db/engine/client'
import { statementsOf } from '#lib/db/engine/statements'
import { endSessions } from '#lib/db/logout/end-access'
import type { TimeForm } from '#lib/text/region/time-form'
import { signInStatements } from './sign-in-statements.ts'

/** Stores credentials and sessions (security checklist, "People"). */
export function signInStore(database: Database, idleDays: number, queued: () => void = () => undefined): SignInStore {
  const { prisma } = database
  return {
    ...signInStatements(statementsOf(database), idleDays),
    async hasSecondFactor(personId) {
      const factor = { OR: [{ totp: { isNot: null } }, { passkeys: { some: {} } }] }
      return (await prisma.person.count({ where: { id: personId, ...factor } })) === 1
    },
    async endSession(id, now) {
      const count = await prisma.$transaction((tx) => endSessions(tx, { id }, now))
      queued()
      return count === 1
    },
  }
}

/** Looks up how a person reads letters: the language of the pages, and the form of times of the latest sign-in. */
export const ownerLookups = (prisma: Prisma) => ({
  async pageLanguageOf(username: string): Promise<string | undefined> {
    return (await prisma.person.findUnique({ where: { username }, select: { pageLanguage: true } }))?.pageLanguage
  },
  /** Returns the form of the latest sign-in before a moment, or of the latest at all. */
  async timeFormOf(username: string, before?: Date): Promise<TimeForm | undefined> {
    const found = await prisma.session.findFirst({
      where: { person: { username }, timeZone: { not: '' }, ...(before && { authenticatedAt: { lt: before } }) },
      orderBy: { authenticatedAt: 'desc' },
      select: { timeZone: true, english: true },
    })
    return found ?? undefined
  },
})
