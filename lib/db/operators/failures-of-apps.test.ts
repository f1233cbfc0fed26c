import { describe, expect, it } from 'vitest'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'

describe.each(kinds)('the failures of all apps on %s', (kind) => {
  const postern = sharePostern({ kind })

  it('are listed newest first, in pages without a gap, without the values that were sent', async () => {
    const start = new Date('2027-01-01T10:00:00Z').getTime()
    const rows = Array.from({ length: 9 }, (_, n) => ({
      id: `failure-${n}`,
      appId: n % 2 ? 'acme-web' : 'other-web',
      endpoint: 'token',
      code: 'invalid_grant',
      reason: 'The code was spent.',
      detail: JSON.stringify({ received: 'a secret value' }),
      count: 1,
      firstAt: new Date(start),
      // Four of them have the same time.
      lastAt: new Date(start + Math.max(0, n - 3) * 1000),
    }))
    await postern.context.database.prisma.failure.createMany({ data: rows })
    const { list } = postern.context.failuresOfApps
    const first = await list(undefined, 6)
    const second = await list(first.at(-1)?.lastAt, 6)
    expect([...first, ...second].map(({ id }) => id).sort()).toEqual(rows.map(({ id }) => id))
    expect(first[0]).toMatchObject({ id: 'failure-8', app: { id: 'other-web', name: 'Other Web' } })
    expect(JSON.stringify(first)).not.toContain('secret value')
  })
})
