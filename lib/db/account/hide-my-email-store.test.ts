import { expect, it } from 'vitest'
import { onBothDatabases } from '#lib/testing/databases/databases'
import { ada, apply, fileOf, web } from '#lib/testing/databases/provision'
import { hideMyEmailStore } from './hide-my-email-store.ts'

const now = new Date('2026-11-20T10:00:00Z')
const later = new Date('2026-11-21T10:00:00Z')

onBothDatabases('relay addresses of a person', (open) => {
  async function setUp() {
    const database = await open()
    const { prisma } = database
    await apply(database, fileOf([web], [ada, { username: 'bob', password: 'correct horse' }]))
    const idOf = async (username: string) => (await prisma.person.findUniqueOrThrow({ where: { username } })).id
    const [personId, bob] = [await idOf('ada'), await idOf('bob')]
    const traffic = { forwarded: 12, blocked: 3, replied: 2, lastMailAt: later }
    await prisma.alias.create({
      data: {
        address: 'k7mqp',
        personId,
        appId: web.client_id,
        label: 'Shop',
        note: 'News',
        createdAt: now,
        ...traffic,
      },
    })
    await prisma.alias.create({ data: { address: 'zgone', personId, appId: null, createdAt: later } })
    await prisma.alias.create({ data: { address: 'bobs1', personId: bob, appId: web.client_id, createdAt: now } })
    const aliases = hideMyEmailStore(prisma)
    const stored = async (name: string) =>
      (await prisma.alias.findUniqueOrThrow({ where: { address: name } })).disabledAt
    return { prisma, aliases, ada: personId, bob, stored }
  }

  it('are listed with their app, its e-mail choice and their counts, the newest first', async () => {
    const { prisma, aliases, ada } = await setUp()
    const none = {
      byHand: false,
      label: '',
      note: '',
      forwarded: 0,
      blocked: 0,
      replied: 0,
      lastMailAt: undefined,
      disabledAt: undefined,
    }
    const gone = { name: 'zgone', app: undefined, emailChoice: undefined, since: later, ...none }
    const first = {
      name: 'k7mqp',
      byHand: false,
      app: { id: web.client_id, name: web.name, team: 'Acme', names: {}, logoFile: undefined, disabled: false },
      emailChoice: undefined,
      label: 'Shop',
      note: 'News',
      since: now,
      disabledAt: undefined,
      forwarded: 12,
      blocked: 3,
      replied: 2,
      lastMailAt: later,
    }
    expect(await aliases.listAliases(ada)).toEqual([gone, first])
    const consent = { granted: 'openid email', declined: '', emailChoice: 'hidden', createdAt: now, updatedAt: now }
    await prisma.consent.create({ data: { personId: ada, appId: web.client_id, ...consent } })
    expect(await aliases.findOwnAlias(ada, 'k7mqp')).toEqual({ ...first, emailChoice: 'hidden' })
  })

  it('are listed without an app when they were made by hand', async () => {
    const { prisma, aliases, ada, stored } = await setUp()
    await prisma.alias.create({
      data: { address: 'mine1', personId: ada, byHand: true, label: 'Shop', createdAt: later },
    })
    expect(await aliases.findOwnAlias(ada, 'mine1')).toMatchObject({ byHand: true, app: undefined, label: 'Shop' })
    expect(await aliases.switchOff(ada, 'mine1', later)).toBe(true)
    expect(await stored('mine1')).toEqual(later)
  })

  it('cannot be seen or switched by another person', async () => {
    const { aliases, bob, stored } = await setUp()
    expect((await aliases.listAliases(bob)).map(({ name }) => name)).toEqual(['bobs1'])
    expect(await aliases.findOwnAlias(bob, 'k7mqp')).toBeUndefined()
    expect(await aliases.switchOff(bob, 'k7mqp', now)).toBe(false)
    expect(await aliases.describe(bob, 'k7mqp', { label: 'Mine', note: '' })).toBe(false)
    expect(await stored('k7mqp')).toBeNull()
  })

  it('are switched off by one of eight concurrent clicks, and on by one', async () => {
    const { aliases, ada, stored } = await setUp()
    const eight = (run: () => Promise<boolean>) => Promise.all(Array.from({ length: 8 }, run))
    expect((await eight(() => aliases.switchOff(ada, 'k7mqp', later))).filter(Boolean)).toHaveLength(1)
    expect(await stored('k7mqp')).toEqual(later)
    expect((await aliases.findOwnAlias(ada, 'k7mqp'))?.disabledAt).toEqual(later)
    expect((await eight(() => aliases.switchOn(ada, 'k7mqp', later))).filter(Boolean)).toHaveLength(1)
    expect(await stored('k7mqp')).toBeNull()
    expect(await stored('bobs1')).toBeNull()
  })
})
