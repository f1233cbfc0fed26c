import { describe, expect, it } from 'vitest'
import { openAccount } from '#lib/testing/browser/account'
import { shareFlow } from '#lib/testing/browser/flow'
import { giveTotp } from '#lib/testing/browser/people'
import { kinds } from '#lib/testing/databases/databases'
import { newTotp, readTotpSetUp } from './set-up.ts'
import { answerAuthenticatorOn } from './switch-authenticator.ts'
import { totpCode, totpKey } from './totp.ts'

describe.each(kinds)('the secret in the set-up form of an authenticator app, on %s', (kind) => {
  const begin = shareFlow({ kind })

  async function setUp() {
    const { context, prisma, later } = await begin()
    await prisma.totp.deleteMany()
    const [ada, bob] = [await openAccount({ context }, 'ada'), await openAccount({ context }, 'bob')]
    /** Posts the form and returns its flash. */
    const post = async (account: typeof ada, fields: { secret: string; code: string }) =>
      account.flashOf(await account.fill(answerAuthenticatorOn, fields), 'authenticator')
    const shown = async ({ personId }: typeof ada, kept: string | undefined) => {
      const person = await prisma.person.findUniqueOrThrow({ where: { id: personId } })
      return (await readTotpSetUp(context, person as never, kept)).totpKey
    }
    const codeOf = (secret: Buffer) => totpCode(secret, Math.floor(context.now().getTime() / 30_000))
    return { context, prisma, later, ada, bob, post, shown, codeOf }
  }

  it('never opens a stored secret, neither of another person nor of the same', async () => {
    const { context, prisma, ada, bob, post, shown } = await setUp()
    await giveTotp(context, bob.personId)
    const { sealedSecret } = await prisma.totp.findUniqueOrThrow({ where: { personId: bob.personId } })
    for (const one of [ada, bob]) {
      // Without a code, with a wrong one and with a right one: the page would accept every secret that opens.
      for (const code of ['', '000000', 'abcdef'])
        expect(await post(one, { secret: sealedSecret, code })).toMatchObject({
          problems: [{ code: 'stale' }],
          kept: {},
        })
      expect(await shown(one, sealedSecret)).not.toBe(await shown(one, sealedSecret))
    }
  })

  it('opens only for the person it was made for', async () => {
    const { context, ada, bob, post, shown, codeOf } = await setUp()
    const { secret, sealed } = await newTotp(context, ada.personId)
    expect(await shown(ada, sealed)).toBe(totpKey(secret))
    expect(await shown(bob, sealed)).not.toBe(totpKey(secret))
    expect((await post(bob, { secret: sealed, code: codeOf(secret) }))?.problems).toEqual([{ code: 'stale' }])
    await post(ada, { secret: sealed, code: codeOf(secret) })
    const has = [await context.factors.hasTotp(ada.personId), await context.factors.hasTotp(bob.personId)]
    expect(has).toEqual([true, false])
  })

  it('expires after an hour, and does not open as a stored secret', async () => {
    const { context, prisma, ada, later, shown } = await setUp()
    const { secret, sealed } = await newTotp(context, ada.personId)
    later(3600)
    expect(await shown(ada, sealed)).not.toBe(totpKey(secret))
    const row = { personId: ada.personId, sealedSecret: sealed, lastStep: 0, createdAt: context.now() }
    await prisma.totp.create({ data: row })
    await expect(giveTotp(context, ada.personId).then((show) => show())).rejects.toThrow('cannot be opened')
  })
})
