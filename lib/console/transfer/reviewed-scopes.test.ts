import { describe, expect, it } from 'vitest'
import { openTransfers } from '#lib/testing/console/transfers'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'

describe.each(kinds)('the sensitive scopes of a transferred app on %s', (kind) => {
  const reviewing = sharePostern({ kind, env: { TEAMS: 'open', SENSITIVE_SCOPES: 'review' } })
  const open = sharePostern({ kind, env: { TEAMS: 'open' } })

  /** Gives an app with approved scopes to another team; returns its scopes there. */
  async function transfer(postern: typeof open, scopes: string, waitingScopes = '') {
    const { member, app, move } = openTransfers(postern)
    const [giver, receiver, id] = [await member('giver'), await member('receiver'), await app('giver')]
    const { prisma } = postern.context.database
    await prisma.app.update({ where: { id }, data: { scopes, waitingScopes } })
    expect(await move(giver, 'giver', receiver, 'receiver', id)).toBe('app_received')
    const moved = await postern.context.teamApps.find(id)
    const queued = (await postern.context.scopeQueue.list(100)).filter((one) => one.id === id)
    return { scopes: moved?.scopes, waiting: moved?.waitingScopes, queued: queued.map(({ team }) => team.id) }
  }

  it('wait for an approval of the receiving team', async () => {
    expect(await transfer(reviewing, 'openid name gender', 'region')).toEqual({
      scopes: ['openid', 'name'],
      waiting: ['gender', 'region'],
      queued: ['receiver'],
    })
  })

  it('stay where they are not reviewed', async () => {
    const moved = await transfer(open, 'openid name gender')
    expect(moved).toEqual({ scopes: ['openid', 'name', 'gender'], waiting: [], queued: [] })
  })
})
