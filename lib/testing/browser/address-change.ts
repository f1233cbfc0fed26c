import { answerAddressCode, answerNewAddress } from '#lib/account/email/change-address'
import { hashPassword } from '#lib/crypto/password-hash'
import { answerEmailUndo } from '#lib/sign-in/email-undo/undo-email-change'
import type { Postern } from '#lib/testing/process/postern'
import { codeSentTo, lettersTo } from '#lib/testing/relay/mail'
import { openAccount } from './account.ts'

export const password = 'correct horse battery'
const passwordHash = await hashPassword(password)

/** Returns functions that make a person with a password and an address, change the address, and undo the change. */
export function openAddressChanges(postern: Postern) {
  const prisma = () => postern.context.database.prisma
  /** Makes a person who has a password and an address, and signs in. The clock then moves on by a minute. */
  const newPerson = async () => {
    const username = `p${crypto.randomUUID().slice(0, 8)}`
    const texts = { name: '', nickname: '', biography: '', gender: '', birthdate: '', region: '', locale: 'en' }
    const now = postern.context.now()
    const times = { passwordSetAt: now, profileUpdatedAt: now, createdAt: now }
    const old = `${username}@old.example.org`
    await prisma().person.create({
      data: { id: `id-${username}`, username, passwordHash, email: old, ...texts, ...times },
    })
    await prisma().attempt.deleteMany()
    const account = await openAccount(postern, username)
    postern.later(60)
    return { ...account, username, old }
  }
  type Account = Awaited<ReturnType<typeof openAccount>>
  /** Binds an address with the code that is sent to it; returns what the page says. */
  const change = async (account: Account, address: string, lost?: true) => {
    await account.fill(answerNewAddress, { address })
    const code = await codeSentTo(postern.context, address)
    const answer = await account.fill(answerAddressCode, { code, ...(lost && { lost: '1' }) })
    const flash = await account.flashOf(answer, 'email-code')
    postern.later(60)
    return flash?.done ?? flash?.problems.map((problem) => problem.code).join()
  }
  /** Returns the secret of the latest link to an inbox. */
  const keyFor = async (address: string) => {
    const letters = await lettersTo(postern.context, address)
    return letters.map(({ text }) => /undo-email\?key=([\w-]+)/.exec(text)?.[1]).find(Boolean)
  }
  /** Posts the form of the link in a browser that is not signed in; returns what the page says. */
  const undo = async (account: Account, fields: Record<string, string>) => {
    const answer = await account.fill(answerEmailUndo, fields, { cookie: '' })
    const flash = await account.flashOf(answer, 'undo-email')
    return flash?.done ?? flash?.problems.map((problem) => problem.code).join()
  }
  const isOpen = async (sessionId: string) =>
    (await postern.context.signIn.findSession(sessionId, postern.context.now())) !== undefined
  return { newPerson, change, keyFor, undo, isOpen, prisma }
}
