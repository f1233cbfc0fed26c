import { expect, it } from 'vitest'
import { onBothDatabases } from '#lib/testing/databases/databases'
import { ada, apply, fileOf, web } from '#lib/testing/databases/provision'
import { byHandStore } from './by-hand-store.ts'

const now = new Date('2026-11-20T10:00:00Z')

onBothDatabases('relay addresses made by hand', (open) => {
  async function setUp() {
    const database = await open()
    const { prisma } = database
    await apply(database, fileOf([web], [ada, { username: 'bob', password: 'correct horse' }]))
    const idOf = async (username: string) => (await prisma.person.findUniqueOrThrow({ where: { username } })).id
    const [personId, bob] = [await idOf('ada'), await idOf('bob')]
    let random = 0
    const names = new Map([personId, bob].map((id, at) => [id, `p${at}`]))
    const store = byHandStore(prisma, (id, key) => `${names.get(id)}-${key || `random-${++random}`}`)
    const counted = async (id = personId) => (await prisma.person.findUniqueOrThrow({ where: { id } })).aliasesByHand
    const make = (key: string, most = 50, id = personId) => store.make(id, { key, label: 'Shop' }, most, now)
    return { prisma, store, ada: personId, bob, counted, make }
  }

  // The day's limit of the form lets no more than 20 requests of a person through at once.
  it.each([8, 20])('never exceed the quota for %i requests at once', async (requests) => {
    const { prisma, make, ada, counted } = await setUp()
    const made = await Promise.all(Array.from({ length: requests }, (_, at) => make(`key-${at}`, 5)))
    expect(made.filter((one) => one === 'enough')).toHaveLength(requests - 5)
    expect(await prisma.alias.count({ where: { personId: ada, byHand: true, label: 'Shop', appId: null } })).toBe(5)
    expect(await counted()).toBe(5)
    expect(await make('later', 5)).toBe('enough')
    expect(await make('later', 6)).toMatchObject({ isNew: true })
  })

  it('are made once for a form that is sent eight times, also when it takes the last place', async () => {
    const { make, counted } = await setUp()
    for (const [key, most] of [
      ['one', 50],
      ['two', 2],
    ] as const) {
      const made = await Promise.all(Array.from({ length: 8 }, () => make(key, most)))
      expect(made.filter((one) => typeof one === 'object' && one.isNew)).toHaveLength(1)
      expect(new Set(made.map((one) => typeof one === 'object' && one.name)).size).toBe(1)
    }
    expect(await counted()).toBe(2)
    await Promise.all(Array.from({ length: 3 }, () => make('')))
    expect(await counted()).toBe(5)
  })

  it('leave no trace of their mail when they are deleted, give their place back, and are never made again', async () => {
    const { prisma, store, make, ada, bob, counted } = await setUp()
    const made = await make('one')
    await make('two')
    const aliasName = typeof made === 'object' ? made.name : ''
    const lasting = { aliasName, expiresAt: now }
    await prisma.threadMark.createMany({ data: Array.from({ length: 501 }, (_, at) => ({ id: `t${at}`, ...lasting })) })
    await prisma.sentMessage.create({ data: { id: 's', ...lasting, createdAt: now, prints: Buffer.from('x') } })
    const sender = { target: 'a@shop.example', createdAt: now, lastUsedAt: now }
    await prisma.reverseAddress.create({ data: { token: 'r', aliasName, ...sender } })
    await prisma.alias.update({ where: { address: aliasName }, data: { note: 'Mine', forwarded: 3, lastMailAt: now } })
    expect(await store.remove(bob, aliasName, now)).toBe(false)
    expect((await prisma.alias.findUniqueOrThrow({ where: { address: aliasName } })).disabledAt).toBeNull()
    const removed = await Promise.all(Array.from({ length: 8 }, () => store.remove(ada, aliasName, now)))
    expect(removed.filter(Boolean)).toHaveLength(1)
    const none = { personId: null, label: '', note: '', forwarded: 0, lastMailAt: null, disabledAt: now, byHand: true }
    expect(await prisma.alias.findUnique({ where: { address: aliasName } })).toMatchObject(none)
    const left = [prisma.threadMark.count(), prisma.sentMessage.count(), prisma.reverseAddress.count()]
    expect(await Promise.all(left)).toEqual([0, 0, 0])
    expect(await counted()).toBe(1)
    expect(await make('one')).toBe('gone')
    expect(await counted()).toBe(1)
  })

  it('are the only ones that can be deleted', async () => {
    const { prisma, store, ada, counted } = await setUp()
    const app = { address: 'of-an-app', personId: ada, appId: web.client_id, createdAt: now }
    await prisma.alias.createMany({ data: [app, { ...app, address: 'of-none', appId: null }] })
    for (const name of ['of-an-app', 'of-none', 'unknown']) expect(await store.remove(ada, name, now)).toBe(false)
    expect(await prisma.alias.count({ where: { personId: ada, disabledAt: null } })).toBe(2)
    expect(await counted()).toBe(0)
  })
})
