import { describe, expect, it } from 'vitest'
import { shareFlow } from '#lib/testing/browser/flow'
import { kinds } from '#lib/testing/databases/databases'
import { getTokens } from '#lib/testing/oauth/get-tokens'
import { leakReach } from './leak-reach.ts'

const none = { authorizations: 0, people: 0, apps: 0 }
const one = { authorizations: 1, people: 1, apps: 1 }

describe.each(kinds)('the reach of a leaked key on %s', (kind) => {
  const start = shareFlow({ kind })

  it('counts who gets new tokens by itself, and who has to sign in again', async () => {
    const postern = await start()
    const { context, prisma } = postern
    const reach = () => leakReach(context.database, context.now())
    await getTokens(postern)
    expect(await reach()).toEqual({ renewed: one, ended: none })
    await prisma.authorization.updateMany({ data: { refreshIdleUntil: context.now() } })
    expect(await reach()).toEqual({ renewed: none, ended: none })
    await prisma.authorization.updateMany({ data: { refreshHash: null, refreshIdleUntil: null } })
    expect(await reach()).toEqual({ renewed: none, ended: one })
    await prisma.authorization.updateMany({ data: { codeSpentAt: new Date(context.now().getTime() - 3_600_000) } })
    expect(await reach()).toEqual({ renewed: none, ended: none })
    await prisma.authorization.updateMany({ data: { codeSpentAt: context.now(), revokedAt: context.now() } })
    expect(await reach()).toEqual({ renewed: none, ended: none })
  })
})
