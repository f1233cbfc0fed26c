import { expect, it } from 'vitest'
import type { Database } from '#lib/db/engine/client'
import { statementsOf } from '#lib/db/engine/statements'
import { attemptStore } from '#lib/db/limits/attempts'
import { onBothDatabases } from '#lib/testing/databases/databases'
import { relayStore } from './relay-store.ts'

const now = new Date('2026-01-01T00:00:00Z')
const after = (seconds: number) => new Date(now.getTime() + seconds * 1000)
const eight = <T>(run: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: 8 }, (_, index) => run(index)))

onBothDatabases('the relay store', (open) => {
  const setUp = async () => {
    const database = await open()
    await seed(database)
    return {
      prisma: database.prisma,
      store: relayStore(
        database,
        attemptStore(statementsOf(database), () => now),
      ),
    }
  }

  it('routes to the address that is bound when mail arrives', async () => {
    const { prisma, store } = await setUp()
    expect(await store.findRoute('k7mabcdefghj')).toEqual({
      alias: 'k7mabcdefghj',
      app: { id: 'acme-web', name: 'Acme Web' },
      label: '',
      person: { id: 'p1', username: 'ada', languages: ['', 'ja'], sharedName: undefined },
      state: 'open',
      email: 'ada@example.org',
    })
    await prisma.person.update({ where: { id: 'p1' }, data: { email: 'ada@example.net' } })
    await prisma.consent.updateMany({ data: { granted: 'openid name email' } })
    expect(await store.findRoute('k7mabcdefghj')).toMatchObject({
      email: 'ada@example.net',
      person: { sharedName: 'Ada L.' },
    })
    expect(await store.findRoute('k7mabcdefghk')).toBeUndefined()
  })

  it('gives an app no name if the operator removed that scope', async () => {
    const { prisma, store } = await setUp()
    await prisma.consent.updateMany({ data: { granted: 'openid profile name email' } })
    for (const [scopes, sharedName] of [
      ['openid name email', 'Ada L.'],
      ['openid email', undefined],
      ['openid profile email', 'Ada L.'],
    ] as const) {
      await prisma.app.updateMany({ data: { scopes } })
      expect((await store.findRoute('k7mabcdefghj'))?.person.sharedName).toBe(sharedName)
    }
  })

  it.each<[string, (prisma: Database['prisma']) => Promise<unknown>]>([
    ['switched off', (prisma) => prisma.alias.updateMany({ data: { disabledAt: now } })],
    [
      'of an app that may see no e-mail any more',
      (prisma) => prisma.consent.updateMany({ data: { emailChoice: 'none' } }),
    ],
    ['of an app with which nothing is shared any more', (prisma) => prisma.consent.deleteMany()],
    ['of a disabled app', (prisma) => prisma.app.updateMany({ data: { disabledAt: now } })],
    ['of a disabled person', (prisma) => prisma.person.updateMany({ data: { disabledAt: now } })],
  ])('closes a relay address %s', async (_, change) => {
    const { prisma, store } = await setUp()
    await change(prisma)
    expect(await store.findRoute('k7mabcdefghj')).toMatchObject({ state: 'closed' })
  })

  it('has no route for a person whose deletion is pending', async () => {
    const { prisma, store } = await setUp()
    await prisma.person.updateMany({ data: { deleteAfter: now } })
    expect(await store.findRoute('k7mabcdefghj')).toMatchObject({ state: 'gone' })
    await prisma.alias.updateMany({ data: { disabledAt: now } })
    expect(await store.findRoute('k7mabcdefghj')).toMatchObject({ state: 'gone' })
  })

  it('stays open when the app receives the bound address instead', async () => {
    const { prisma, store } = await setUp()
    await prisma.consent.updateMany({ data: { emailChoice: 'regular' } })
    expect(await store.findRoute('k7mabcdefghj')).toMatchObject({ state: 'open' })
  })

  it('is unreachable without a bound address, and while mail is paused', async () => {
    const { prisma, store } = await setUp()
    expect(await eight(() => store.pauseMail('p1', now))).toEqual(expect.arrayContaining([true, false]))
    expect(await store.findRoute('k7mabcdefghj')).toMatchObject({ state: 'unreachable' })
    await prisma.person.update({ where: { id: 'p1' }, data: { mailPausedAt: null, email: null } })
    expect(await store.findRoute('k7mabcdefghj')).toMatchObject({ state: 'unreachable' })
  })

  it('routes an address made by hand without an app and a consent, and closes it only for its owner', async () => {
    const { prisma, store } = await setUp()
    const alias = { address: 'h7mabcdefghj', personId: 'p1', byHand: true, label: 'Shop', createdAt: now }
    await prisma.alias.create({ data: alias })
    const find = () => store.findRoute(alias.address)
    expect(await find()).toMatchObject({
      app: undefined,
      label: 'Shop',
      state: 'open',
      person: { sharedName: undefined },
    })
    await prisma.consent.deleteMany()
    await prisma.app.updateMany({ data: { disabledAt: now } })
    expect(await find()).toMatchObject({ state: 'open' })
    await prisma.alias.updateMany({ data: { disabledAt: now } })
    expect(await find()).toMatchObject({ state: 'closed' })
    await prisma.alias.updateMany({ data: { disabledAt: null } })
    await prisma.person.updateMany({ data: { disabledAt: now } })
    expect(await find()).toMatchObject({ state: 'closed' })
    await prisma.person.updateMany({ data: { disabledAt: null, mailPausedAt: now } })
    expect(await find()).toMatchObject({ state: 'unreachable' })
    await prisma.person.updateMany({ data: { deleteAfter: now } })
    expect(await find()).toMatchObject({ state: 'gone' })
    await prisma.person.delete({ where: { id: 'p1' } })
    expect(await find()).toBeUndefined()
  })

  it('has no route for the address of an app that is gone', async () => {
    const { prisma, store } = await setUp()
    await prisma.alias.updateMany({ data: { appId: null } })
    expect(await store.findRoute('k7mabcdefghj')).toBeUndefined()
  })

  it('never reuses the address of an erased person', async () => {
    const { prisma, store } = await setUp()
    await prisma.person.delete({ where: { id: 'p1' } })
    expect(await store.findRoute('k7mabcdefghj')).toBeUndefined()
    expect(await prisma.alias.count()).toBe(1)
  })

  it('counts each of eight concurrent messages, by kind', async () => {
    const { prisma, store } = await setUp()
    await eight(() => store.count('k7mabcdefghj', 'forwarded', after(5)))
    await store.count('k7mabcdefghj', 'blocked', after(9))
    await store.count('k7mabcdefghj', 'replied', after(9))
    expect(await prisma.alias.findFirst()).toMatchObject({
      forwarded: 8,
      blocked: 1,
      replied: 1,
      lastMailAt: after(5),
    })
  })

  it('enforces a limit for concurrent messages, and starts a new count after its window', async () => {
    const { store } = await setUp()
    const pass = (time: Date) => store.mayPass('k', { most: 3, seconds: 60 }, time)
    expect((await eight(() => pass(now))).filter(Boolean)).toHaveLength(3)
    expect(await pass(after(59))).toBe(false)
    expect((await eight(() => pass(after(61)))).filter(Boolean)).toHaveLength(3)
  })

  it('recognizes an accepted message until its receipt expires', async () => {
    const { store } = await setUp()
    await eight(() => store.keepTaken('f', after(60)))
    expect(await store.wasTaken('f', after(59))).toBe(true)
    expect(await store.wasTaken('f', after(60))).toBe(false)
    expect(await store.wasTaken('g', now)).toBe(false)
  })

  it('stores a forwarded message once, and reports another one under the same id', async () => {
    const { prisma, store } = await setUp()
    const sent = { alias: 'k7mabcdefghj', prints: Buffer.from('one') }
    expect(await eight(() => store.keepSent('m', sent, now, after(60)))).toEqual(Array(8).fill(true))
    expect(await store.keepSent('m', { ...sent, prints: Buffer.from('two') }, now, after(60))).toBe(false)
    expect(await prisma.sentMessage.count()).toBe(1)
    const contest = await eight((at) => store.keepSent('n', { ...sent, prints: Buffer.from(`${at}`) }, now, after(60)))
    expect(contest.filter(Boolean)).toHaveLength(1)
  })

  it('finds forwarded messages of a relay address until they expire, the latest first', async () => {
    const { store } = await setUp()
    const keep = (id: string, at: number) =>
      store.keepSent(id, { alias: 'k7mabcdefghj', prints: Buffer.from(id) }, after(at), after(at + 60))
    for (const [at, id] of ['a', 'b', 'c'].entries()) await keep(id, at)
    expect([...(await store.findSent('k7mabcdefghj', ['a', 'c', 'x'], after(5))).keys()].toSorted()).toEqual(['a', 'c'])
    expect(Buffer.from((await store.latestSent('k7mabcdefghj', 2, after(5))).get('c') ?? []).toString()).toBe('c')
    expect([...(await store.latestSent('k7mabcdefghj', 2, after(5))).keys()]).toEqual(['c', 'b'])
    expect([...(await store.findSent('k7mabcdefghj', ['a', 'b'], after(60))).keys()]).toEqual(['b'])
    expect((await store.findSent('somebodyelse', ['a', 'b'], after(5))).size).toBe(0)
  })

  it('stores a reverse address and a thread once, for one relay address', async () => {
    const { prisma, store } = await setUp()
    await eight((index) => store.keepReverse('r', { alias: 'k7mabcdefghj', target: 'news@acme.example' }, after(index)))
    expect(await store.findReverse('r')).toEqual({ alias: 'k7mabcdefghj', target: 'news@acme.example' })
    expect(await store.findReverse('s')).toBeUndefined()
    expect(await prisma.reverseAddress.count()).toBe(1)
    await eight(() => store.keepThread('t', { alias: 'k7mabcdefghj', original: 'sealed' }, after(60)))
    await store.keepThread('u', { alias: 'k7mabcdefghj', original: undefined }, after(60))
    expect(await store.findThreads('k7mabcdefghj', ['t', 'u', 'v'])).toEqual(
      new Map([
        ['t', 'sealed'],
        ['u', undefined],
      ]),
    )
    expect(await store.findThreads('another', ['t'])).toEqual(new Map())
  })

  it('counts a bounce once for each message, for a day', async () => {
    const { store } = await setUp()
    await store.noteReturned('old', 'p1', after(-90_000), after(-176_400))
    await eight(() => store.noteReturned('one', 'p1', now, after(-86_400)))
    expect(await store.noteReturned('two', 'p1', now, after(-86_400))).toBe(2)
  })

  it('lists every current and former address of a person', async () => {
    const { prisma, store } = await setUp()
    await prisma.formerEmail.create({ data: { personId: 'p1', address: 'old@example.org', until: now } })
    expect(await store.addressesOf('p1')).toEqual(['ada@example.org', 'old@example.org'])
    expect(await store.addressesOf('nobody')).toEqual([])
  })
})

async function seed({ prisma }: Database) {
  const times = { createdAt: now, updatedAt: now }
  const text = {
    redirectUris: '[]',
    scopes: 'openid name email',
    requiredScopes: '',
    homepage: '',
    policyUri: '',
    tosUri: '',
  }
  const profile = { nickname: '', biography: '', gender: '', birthdate: '', region: '', profileUpdatedAt: now }
  await prisma.team.create({ data: { id: 'acme', name: 'Acme', ...times } })
  const app = { id: 'acme-web', teamId: 'acme', name: 'Acme Web', kind: 'confidential', profile: 'standard' }
  await prisma.app.create({ data: { ...app, ...text, email: 'optional', ...times } })
  const ada = { id: 'p1', username: 'ada', name: 'Ada L.', email: 'ada@example.org', locale: 'ja' }
  await prisma.person.create({ data: { ...ada, ...profile, createdAt: now } })
  const pair = { personId: 'p1', appId: 'acme-web' }
  await prisma.consent.create({ data: { ...pair, granted: 'email', declined: '', emailChoice: 'hidden', ...times } })
  await prisma.alias.create({ data: { ...pair, address: 'k7mabcdefghj', createdAt: now } })
}
