import { describe, expect, it } from 'vitest'
import { flowProvision, startFlow } from '#lib/testing/browser/flow'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'

const most = 1000

describe.each(kinds)('the approvals of one person for one app on %s', (kind) => {
  const postern = sharePostern({ kind, provision: flowProvision })

  it('are at most 1,000 in an hour, also when 200 arrive at once, of each app and person separately', async () => {
    const { prisma, browser, personId, later } = startFlow(postern)
    const { approvals } = postern.context.oauth
    const ada = await personId('ada')
    const asked = await browser.signIn(await browser.authorize({ scope: 'openid' }))
    const { parameters: first } = await browser.decide(asked, { session: await browser.shownSession() })
    await Promise.all(Array.from({ length: most - 11 }, () => approvals.count(ada, 'acme-web')))

    const before = await prisma.authorization.count()
    const burst = await Promise.allSettled(Array.from({ length: 200 }, () => postern.approve()))
    expect(burst.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    expect((await prisma.authorization.count()) - before).toBe(10)

    // The app is told, with its state. Another app and another person have counts of their own.
    const silent = await browser.authorize({ scope: 'openid', prompt: 'none' })
    expect(silent.parameters).toMatchObject({ error: 'temporarily_unavailable', state: 'state' })
    expect(silent.parameters).not.toHaveProperty('code')
    const reason = 'too many approvals of one person'
    await expect.poll(() => postern.failures('acme-web')).toContainEqual(expect.objectContaining({ reason }))
    expect(await postern.approve({ clientId: 'acme-mail' })).toMatch(/\./)
    expect(await postern.approve({ username: 'bob' })).toMatch(/\./)

    later(3601)
    const again = await browser.authorize({ scope: 'openid', prompt: 'none' })
    expect([first, again.parameters]).toEqual([
      expect.objectContaining({ code: expect.any(String) }),
      expect.objectContaining({ code: expect.any(String) }),
    ])
  })

  it('are not counted again when a finished request is repeated', async () => {
    const { approvals } = postern.context.oauth
    const bob = await startFlow(postern).personId('bob')
    const approval = { username: 'bob', clientId: 'acme-mail', requestId: 'q'.repeat(22) }
    const code = await postern.approve(approval)
    const repeats = await Promise.all(Array.from({ length: 200 }, () => postern.approve(approval)))
    expect(new Set(repeats)).toEqual(new Set([code]))
    const rest = await Promise.all(Array.from({ length: most - 1 }, () => approvals.count(bob, 'acme-mail')))
    expect(Math.max(...rest)).toBe(0)
    expect(await approvals.count(bob, 'acme-mail')).toBeGreaterThan(0)
  })

  it('give a repeat of a finished request its code, and a new request none', async () => {
    const { approvals } = postern.context.oauth
    const { personId } = startFlow(postern)
    const [bob, requestId] = [await personId('bob'), 'r'.repeat(22)]
    const code = await postern.approve({ username: 'bob', requestId })
    await Promise.all(Array.from({ length: most }, () => approvals.count(bob, 'acme-web')))
    expect(await postern.approve({ username: 'bob', requestId })).toBe(code)
    const refused = postern.approve({ username: 'bob', requestId: 's'.repeat(22) })
    await expect(refused).rejects.toMatchObject({ code: 'temporarily_unavailable' })
  })
})
