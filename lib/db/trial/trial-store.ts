import type { TrialStore } from '#lib/console/trial/store'
import type { Prisma } from '#lib/db/engine/client'

/** Stores the sign-ins that members try in the console. */
export const trialStore = (prisma: Prisma): TrialStore => ({
  async begin(trial) {
    const { personId, appId, ...rest } = trial
    const key = { personId, appId }
    const fields = { ...rest, finishedAt: null, outcome: null }
    await prisma.appTrial.upsert({
      where: { personId_appId: key },
      create: { ...key, ...fields },
      update: fields,
    })
  },
  async findByState(stateHash, now) {
    return (await prisma.appTrial.findFirst({ where: { stateHash, expiresAt: { gt: now } } })) ?? undefined
  },
  async findOfPerson(personId, appId, now) {
    return (await prisma.appTrial.findFirst({ where: { personId, appId, expiresAt: { gt: now } } })) ?? undefined
  },
  async claim(stateHash, now) {
    const where = { stateHash, finishedAt: null, expiresAt: { gt: now } }
    return (await prisma.appTrial.updateMany({ where, data: { finishedAt: now } })).count === 1
  },
  async keepOutcome(stateHash, outcome, expiresAt) {
    await prisma.appTrial.updateMany({ where: { stateHash }, data: { outcome, expiresAt } })
  },
})
