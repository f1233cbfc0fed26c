import { type Database, isUniqueConflict, type Prisma } from '#lib/db/engine/client'
import { statementsOf } from '#lib/db/engine/statements'
import { queueCredentialChange } from '#lib/db/events/credential-change'
import type { Passkey } from '#lib/sign-in/passkey/passkey'
import type { FactorStore } from '#lib/sign-in/second-factor/store'
import { isGone } from './sign-in-statements.ts'

const mostPasskeys = 20

/** Stores second factors and passkeys. A step that can race is one conditional statement (design §4). */
export function factorStore(database: Database): FactorStore {
  const { prisma } = database
  const { find } = statementsOf(database)
  return {
    hasTotp: async (personId) => (await find(hasTotp, [personId])) !== undefined,
    ...totpStore(prisma),
    ...codeStore(prisma),
    ...passkeyStore(prisma),
    async ways(id) {
      const [person, codes] = await Promise.all([
        prisma.person.findUnique({
          where: { id },
          select: {
            passwordHash: true,
            passwordSetAt: true,
            email: true,
            totp: true,
            passkeys: { orderBy: { createdAt: 'asc' } },
          },
        }),
        prisma.recoveryCode.findMany({ where: { personId: id }, select: { usedAt: true, createdAt: true } }),
      ])
      const [first] = codes
      return {
        password: person?.passwordHash ? { setAt: person.passwordSetAt ?? undefined } : undefined,
        email: Boolean(person?.email),
        passkeys: (person?.passkeys ?? []).map(readPasskey),
        totpSince: person?.totp?.createdAt,
        codes: first && { left: codes.filter(({ usedAt }) => !usedAt).length, madeAt: first.createdAt },
      }
    },
  }
}

const hasTotp = { name: 'has-totp', sql: 'SELECT "personId" FROM "Totp" WHERE "personId" = $1' }

const totpStore = (prisma: Prisma) => ({
  findTotp: async (personId: string) => (await prisma.totp.findUnique({ where: { personId } })) ?? undefined,
  async addTotp(personId: string, { now, ...totp }: { sealedSecret: string; lastStep: number; now: Date }) {
    try {
      await prisma.$transaction(async (tx) => {
        await tx.totp.create({ data: { personId, ...totp, createdAt: now } })
        await queueCredentialChange(tx, personId, { credential: 'app', change: 'create' }, now)
      })
      return true
    } catch (fault) {
      if (isUniqueConflict(fault)) return false
      throw fault
    }
  },
  removeTotp: (personId: string, now: Date) =>
    prisma.$transaction(async (tx) => {
      const { count } = await tx.totp.deleteMany({ where: { personId } })
      if (count === 1) await queueCredentialChange(tx, personId, { credential: 'app', change: 'delete' }, now)
      return count === 1
    }),
  async spendTotpStep(personId: string, step: number, sealedSecret: string) {
    const used = { where: { personId, lastStep: { lt: step } }, data: { lastStep: step, sealedSecret } }
    return (await prisma.totp.updateMany(used)).count === 1
  },
})

const codeStore = (prisma: Prisma) => ({
  async findRecoveryCode(personId: string, selector: string) {
    const code = await prisma.recoveryCode.findUnique({ where: { personId_selector: { personId, selector } } })
    return code && !code.usedAt ? { selector, hash: code.hash } : undefined
  },
  async spendRecoveryCode(personId: string, code: { selector: string; hash: string }, now: Date) {
    // Compares the hash too: a new set of codes may have replaced this code under the same selector.
    const spent = await prisma.recoveryCode.updateMany({
      where: { personId, ...code, usedAt: null },
      data: { usedAt: now },
    })
    return spent.count === 1
  },
  async replaceRecoveryCodes(personId: string, codes: { selector: string; hash: string }[], createdAt: Date) {
    await prisma.$transaction(async (tx) => {
      await tx.person.updateMany({ where: { id: personId }, data: { id: personId } })
      const { count } = await tx.recoveryCode.deleteMany({ where: { personId } })
      await tx.recoveryCode.createMany({ data: codes.map((code) => ({ personId, ...code, createdAt })) })
      const change = count === 0 ? 'create' : 'update'
      await queueCredentialChange(tx, personId, { credential: 'recovery-codes', change }, createdAt)
    })
  },
})

const passkeyStore = (prisma: Prisma): Pick<FactorStore, PasskeyIntent> => ({
  async findPasskey(id, now) {
    const found = await prisma.passkey.findUnique({
      where: { id },
      include: { person: { select: { disabledAt: true, deleteAfter: true } } },
    })
    return found && !isGone(found.person, now) ? { ...readPasskey(found), personId: found.personId } : undefined
  },
  async addPasskey(personId, { transports, publicKey, ...passkey }, now) {
    if ((await prisma.passkey.count({ where: { personId } })) >= mostPasskeys) return false
    const data = { ...passkey, publicKey, personId, transports: transports.join(' '), createdAt: now }
    try {
      await prisma.$transaction(async (tx) => {
        await tx.passkey.create({ data })
        await queueCredentialChange(tx, personId, { credential: typeOfPasskey(data), change: 'create' }, now)
      })
      return true
    } catch (fault) {
      if (isUniqueConflict(fault)) return false
      throw fault
    }
  },
  async renamePasskey(personId, id, name) {
    return (await prisma.passkey.updateMany({ where: { personId, id }, data: { name } })).count === 1
  },
  removePasskey: (personId, id, now) =>
    prisma.$transaction(async (tx) => {
      // Locks the person's row. Otherwise two concurrent removals could each rely on the passkey that the other one
      // removes.
      await tx.person.updateMany({ where: { id: personId }, data: { id: personId } })
      const person = await tx.person.findUnique({
        where: { id: personId },
        select: { passwordHash: true, passkeys: { select: { id: true, transports: true } } },
      })
      const removed = person?.passkeys.find((passkey) => passkey.id === id)
      if (!removed) return 'gone'
      if (!person?.passwordHash && person?.passkeys.length === 1) return 'last_way'
      await tx.passkey.deleteMany({ where: { personId, id } })
      await queueCredentialChange(tx, personId, { credential: typeOfPasskey(removed), change: 'delete' }, now)
      return 'removed'
    }),
  async markPasskeyUsed(id, before, { counter, backedUp, now }) {
    const used = { where: { id, counter: before }, data: { counter, backedUp, lastUsedAt: now } }
    return (await prisma.passkey.updateMany(used)).count === 1
  },
})

/** The credential type of CAEP 1.0 §3.3.1: an authenticator inside a device, or one that moves between devices. */
export const typeOfPasskey = ({ transports }: { transports: string }) =>
  transports.split(' ').includes('internal') ? 'fido2-platform' : 'fido2-roaming'

type PasskeyIntent = 'findPasskey' | 'addPasskey' | 'renamePasskey' | 'removePasskey' | 'markPasskeyUsed'
type Row = Awaited<ReturnType<Prisma['passkey']['findUniqueOrThrow']>>

const readPasskey = ({ id, publicKey, counter, transports, backedUp, name, createdAt, lastUsedAt }: Row): Passkey => ({
  id,
  publicKey: new Uint8Array(publicKey),
  counter,
  transports: transports === '' ? [] : transports.split(' '),
  backedUp,
  name,
  createdAt,
  lastUsedAt: lastUsedAt ?? undefined,
})
