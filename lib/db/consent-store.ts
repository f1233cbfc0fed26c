import type { ConsentRecord } from '#lib/oauth/authorize/consent'
import type { Prisma } from './client.ts'
import { isUniqueConflict } from './conflict.ts'

/** What people decided, and the identifiers they are known by (specification §2.4, §2.6). */
export const consentStore = (prisma: Prisma) => ({
  async findConsent(personId: string, appId: string): Promise<ConsentRecord | undefined> {
    const row = await prisma.consent.findUnique({ where: { personId_appId: { personId, appId } } })
    return row
      ? {
          granted: list(row.granted),
          declined: list(row.declined),
          emailChoice: row.emailChoice as ConsentRecord['emailChoice'],
        }
      : undefined
  },
  async saveConsent(personId: string, appId: string, decision: ConsentRecord, now: Date): Promise<void> {
    const told = {
      granted: decision.granted.join(' '),
      declined: decision.declined.join(' '),
      emailChoice: decision.emailChoice,
    }
    await prisma.consent.upsert({
      where: { personId_appId: { personId, appId } },
      create: { personId, appId, ...told, createdAt: now, updatedAt: now },
      update: { ...told, updatedAt: now },
    })
  },
  async findSubject(personId: string, teamId: string): Promise<string | undefined> {
    const row = await prisma.subject.findUnique({ where: { personId_teamId: { personId, teamId } } })
    return row?.sub
  },
  /** The identifier of a person for a team: the first one made stays, however many tabs make one at once. */
  async ensureSubject(personId: string, teamId: string, candidate: string, now: Date): Promise<string> {
    const known = await this.findSubject(personId, teamId)
    if (known !== undefined) return known
    try {
      await prisma.subject.create({ data: { personId, teamId, sub: candidate, createdAt: now } })
      return candidate
    } catch (fault) {
      if (!isUniqueConflict(fault)) throw fault
      return (await this.findSubject(personId, teamId)) as string
    }
  },
})

export type ConsentStore = ReturnType<typeof consentStore>

const list = (text: string) => text.split(' ').filter(Boolean)
