import { expect, it } from 'vitest'
import { onBothDatabases } from '#lib/testing/databases/databases'
import { apply, fileOf, jwk, robot, said, web } from '#lib/testing/databases/provision'

onBothDatabases('provisioning of secrets and keys', (open) => {
  it('adds a second secret, and rejects a third one with the ids of both', async () => {
    const database = await open()
    await apply(database, fileOf([{ ...web, client_secret: 'the first secret' }]))
    const second = await apply(database, fileOf([{ ...web, client_secret: 'the second secret' }]))
    expect(said(second.plan)).toEqual(['create secret acme-web'])
    const [problem] = (await apply(database, fileOf([{ ...web, client_secret: 'the third secret' }]))).plan.problems
    const ids = (await database.prisma.appSecret.findMany()).map((secret) => secret.id)
    expect(ids).toHaveLength(2)
    expect(problem?.path).toBe('teams[0].apps[0].client_secret')
    for (const id of ids) expect(problem?.message).toContain(id)
    expect(problem?.message).toContain('cli app secret remove acme-web')
  })

  it('ignores an expired secret', async () => {
    const database = await open()
    await apply(database, fileOf([{ ...web, client_secret: 'the first secret' }]))
    await database.prisma.appSecret.updateMany({ data: { expiresAt: new Date('2026-11-20T09:00:00Z') } })
    expect((await apply(database, fileOf([web]))).secrets.size).toBe(1)
  })

  it('adds a new key, keeps and reports an unlisted one, and rejects another key under a known kid', async () => {
    const database = await open()
    await apply(database, fileOf([robot]))
    const { plan } = await apply(database, fileOf([{ ...robot, jwks: { keys: [jwk('k2', 1)] } }]))
    expect(said(plan)).toEqual(['create key acme-robot/k2'])
    expect(plan.notes).toEqual([expect.stringContaining('cli app key remove acme-robot k1')])
    const changed = await apply(database, fileOf([{ ...robot, jwks: { keys: [jwk('k1', 1)] } }]))
    expect(changed.plan.problems[0]?.message).toContain('kid k1 is registered with another key')
  })
})
