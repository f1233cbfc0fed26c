import { openAccount } from '#lib/testing/browser/account'
import type { Postern } from '#lib/testing/process/postern'
import { recordedAt } from './recorded-at.ts'

/** The methods of a sign-in with two factors. */
export const twoFactors = ['pwd', 'otp', 'mfa']

/** Returns functions that make people and operators. */
export function openOperators(postern: Postern) {
  let last = 0
  const prisma = () => postern.context.database.prisma
  /** Makes a person; returns the username. */
  const person = async (row: { email?: string; passwordHash?: string | null } = {}) => {
    last += 1
    const username = `person${last}`
    const texts = { name: '', nickname: '', biography: '', gender: '', birthdate: '', region: '', locale: 'en' }
    const now = postern.context.now()
    const columns = { id: `id-${username}`, username, ...texts, profileUpdatedAt: now, createdAt: now }
    await prisma().person.create({ data: { passwordHash: 'a hash', ...columns, ...row } })
    return username
  }
  /** Opens the account of a new person. */
  const newcomer = async (amr?: string[]) => {
    const username = await person()
    return { username, ...(await openAccount(postern, username, amr)) }
  }
  const newOperator = async (amr = twoFactors) => {
    const account = await newcomer(amr)
    await postern.context.operators.add(account.personId, recordedAt(postern.context.now()))
    return account
  }
  return {
    person,
    newcomer,
    newOperator,
    /** Gives a person a passkey, an authenticator app and a recovery code. */
    giveFactors: async (personId: string) => {
      const createdAt = postern.context.now()
      const passkey = { publicKey: Buffer.from('key'), counter: 0, transports: '', backedUp: false, name: 'Phone' }
      await prisma().passkey.create({ data: { id: `passkey-${personId}`, personId, createdAt, ...passkey } })
      await prisma().totp.create({ data: { personId, sealedSecret: 'sealed', lastStep: 0, createdAt } })
      await prisma().recoveryCode.create({ data: { personId, selector: 'abcd', hash: 'a hash', createdAt } })
    },
    /** Returns the number of a person’s factors. */
    factorsOf: async (personId: string) =>
      (await prisma().passkey.count({ where: { personId } })) +
      (await prisma().totp.count({ where: { personId } })) +
      (await prisma().recoveryCode.count({ where: { personId } })),
    /** Takes the role from everyone. */
    noOperators: () => prisma().operator.deleteMany(),
  }
}
