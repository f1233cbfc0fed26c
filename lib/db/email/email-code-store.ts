import type { EmailCode, EmailCodeStore } from '#lib/account/email/email-code'
import { isUniqueConflict, type Prisma } from '#lib/db/engine/client'

const mostAttempts = 5

/** Stores the codes that are sent by e-mail: one row for each person and purpose, one statement for each step. */
export const emailCodeStore = (prisma: Prisma): EmailCodeStore => ({
  async findCode(personId, purpose) {
    const row = await prisma.emailCode.findUnique({ where: { personId_purpose: { personId, purpose } } })
    return row ? codeOf(row) : undefined
  },
  async replaceCode(personId, purpose, seen, next) {
    if (seen) {
      // Compare-and-set: `hash` and `sent` change whenever a code is sent or used.
      const unchanged = { personId, purpose, hash: seen.hash, sent: seen.sent }
      return (await prisma.emailCode.updateMany({ where: unchanged, data: next })).count === 1
    }
    try {
      await prisma.emailCode.create({ data: { personId, purpose, ...next } })
      return true
    } catch (fault) {
      if (!isUniqueConflict(fault)) throw fault
      return false
    }
  },
  async claimAttempt(personId, purpose, hash, now) {
    const live = { personId, purpose, hash, attempts: { lt: mostAttempts }, expiresAt: { gt: now } }
    return (await prisma.emailCode.updateMany({ where: live, data: { attempts: { increment: 1 } } })).count === 1
  },
  async returnAttempt(personId, purpose, hash) {
    const counted = { personId, purpose, hash, attempts: { gt: 0 } }
    await prisma.emailCode.updateMany({ where: counted, data: { attempts: { decrement: 1 } } })
  },
  async spendCode(personId, purpose, hash) {
    return (await prisma.emailCode.updateMany({ where: { personId, purpose, hash }, data: { hash: '' } })).count === 1
  },
})

const codeOf = ({ address, hash, attempts, sent, sentAt, expiresAt }: EmailCode): EmailCode => ({
  address,
  hash,
  attempts,
  sent,
  sentAt,
  expiresAt,
})
