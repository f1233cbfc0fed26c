import { expect, it } from 'vitest'
import { onBothDatabases } from '#lib/testing/databases/databases'
import { apply, said, toolsAt, web } from '#lib/testing/databases/provision'

const orders = {
  identifier: 'https://api.acme.example/orders',
  name: 'Orders',
  scopes: ['orders.read', 'orders.write'],
}
const fileOf = (apis: object[], id = 'acme') => ({
  teams: [{ id, name: 'Acme', apps: id === 'acme' ? [web] : [], apis }],
})
const later = toolsAt('2027-01-01T00:00:00Z')

onBothDatabases('provisioning of APIs', (open) => {
  it('creates an API, changes it, and changes nothing when a file is applied again', async () => {
    const database = await open()
    const planOf = async (api: object) => (await apply(database, fileOf([api]), [], later)).plan
    expect(said(await planOf(orders))).toContain(`create api ${orders.identifier} name,scopes,signingAlg`)
    expect((await planOf(orders)).steps).toEqual([])
    const changed = { ...orders, scopes: ['orders.read'], signing_alg: 'RS256' }
    expect(said(await planOf(changed))).toEqual([`update api ${orders.identifier} scopes,signingAlg`])
    expect(await database.prisma.api.findMany()).toEqual([
      expect.objectContaining({ teamId: 'acme', scopes: 'orders.read', signingAlg: 'RS256' }),
    ])
  })

  it('keeps an API that the file omits, and rejects a scope of it for another API of the team', async () => {
    const database = await open()
    await apply(database, fileOf([orders]))
    const stock = { identifier: 'https://api.acme.example/stock', name: 'Stock', scopes: ['stock.read', 'orders.read'] }
    const { plan } = await apply(database, fileOf([stock]))
    expect(plan.problems).toEqual([
      { path: 'teams[0].apis[0].scopes[1]', message: `is a scope of ${orders.identifier}` },
    ])
    expect(await database.prisma.api.count()).toBe(1)
  })

  it('rejects the API of another team', async () => {
    const database = await open()
    await apply(database, fileOf([orders]))
    const { plan } = await apply(database, fileOf([orders], 'other'))
    expect(plan.problems).toEqual([{ path: 'teams[0].apis[0].identifier', message: 'belongs to an API of team acme' }])
  })
})
