import { hashPassword } from '#lib/crypto/password-hash'
import { readReview } from '#lib/sign-in/recovery/recovery-review'
import { hashRecoveryCodes, makeRecoveryCodes } from '#lib/sign-in/recovery-codes/recovery-code'
import type { Kind } from '#lib/testing/databases/databases'
import { codeSentTo } from '#lib/testing/relay/mail'
import type { Arrival } from './browser.ts'
import { shareFlow } from './flow.ts'

export const address = 'ada@example.org'
export const oldHash = await hashPassword('correct horse battery')
export const password = 'a brand new pass phrase'
/** The initial choices of the page that asks for a new password. */
export const everything = { apps: 'end', browsers: 'end' }

/** Shares a Postern in which Ada recovers her account. Each test starts without other factors. */
export function shareRecovery(kind: Kind) {
  const share = shareFlow({ kind })
  return async () => {
    const shared = await share()
    const { context, prisma, browser } = shared
    for (const table of [prisma.emailCode, prisma.totp, prisma.recoveryCode, prisma.passkey] as const)
      await (table as typeof prisma.totp).deleteMany()
    const createdAt = new Date(context.now().getTime() - 86_400_000)
    const fresh = { email: address, passwordHash: oldHash, createdAt }
    await prisma.person.update({ where: { username: 'ada' }, data: fresh })
    const personId = await shared.personId('ada')
    const note = (kind: string, detail = '{}') =>
      prisma.activity.create({
        data: { id: crypto.randomUUID(), personId, at: context.now(), kind, detail, address: '', device: '' },
      })
    const passkey = async (id: string, owner = personId) => {
      const made = { id, publicKey: new Uint8Array([1]), counter: 0, transports: [], backedUp: false, name: id }
      await context.factors.addPasskey(owner, made, context.now())
    }
    const makeCodes = async () => {
      const codes = makeRecoveryCodes(context.random)
      await context.factors.replaceRecoveryCodes(personId, await hashRecoveryCodes(codes), context.now())
      return codes
    }
    /** Recovers the account by e-mail or by a recovery code, up to the page after the new password. */
    const recover = async (choices: Record<string, string> = everything, code?: string) => {
      const chosen = code === undefined ? await provenByLetter() : await byCode(code)
      return browser.post('/recover/finish', { ...chosen.parameters, password, ...choices })
    }
    const provenByLetter = async () => {
      const page = await browser.post('/recover/submit', { login: 'ada' })
      return browser.post('/recover/verify', { ...page.parameters, code: await codeSentTo(context, address) })
    }
    const byCode = (code: string) => browser.post('/recover/by-code/submit', { login: 'ada', code })
    const review = async ({ parameters: { step = '' } }: Arrival, one = browser) =>
      readReview(context, one.cookies(), step)
    const submit = ({ parameters }: Arrival, remove: string[] = [], one = browser, headers?: Record<string, string>) =>
      one.post('/recover/review/submit', { ...parameters, remove }, headers)
    const ways = () => context.factors.ways(personId)
    const done = async () => (await context.activity.list(personId, undefined, 50)).map((one) => one.kind)
    const bob = await shared.personId('bob')
    return {
      ...shared,
      ...{ personId, note, passkey, makeCodes, recover, provenByLetter, review, submit, ways, done, bob },
    }
  }
}
