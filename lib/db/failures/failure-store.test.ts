import { afterEach, describe, expect, it } from 'vitest'
import type { NewFailure } from '#lib/console/failures/failure'
import { type Database, openDatabase } from '#lib/db/engine/client'
import { sweeps } from '#lib/db/jobs/sweep-store'
import { freshUrl, kinds } from '#lib/testing/databases/databases'
import { failureStore, listFailures, recordFailure } from './failure-store.ts'

const opened: Database[] = []
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close()
})

const start = new Date('2026-11-20T10:00:00Z')
const minutes = (count: number) => new Date(start.getTime() + count * 60_000)

const failure = (id: string, change: Partial<NewFailure> = {}): NewFailure => ({
  id,
  causeId: 'cause',
  appId: 'acme-web',
  endpoint: 'token',
  code: 'invalid_client',
  reason: 'no key with this kid is registered',
  detail: { kid: id },
  isMerged: false,
  at: start,
  ...change,
})

describe.each(kinds)('failures on %s', (kind) => {
  const setUp = async (bounds = { mostDistinct: 100, mostOfCause: 100 }, observe = () => {}) => {
    const database = await openDatabase(await freshUrl(kind), observe)
    opened.push(database)
    const { prisma } = database
    const times = { createdAt: start, updatedAt: start }
    await prisma.team.create({ data: { id: 'acme', name: 'Acme', ...times } })
    const texts = { kind: 'public', profile: 'standard', redirectUris: '[]', scopes: 'openid' }
    const pages = { requiredScopes: 'openid', email: 'none', homepage: '', policyUri: '', tosUri: '' }
    for (const id of ['acme-web', 'acme-mail'])
      await prisma.app.create({ data: { id, name: id, teamId: 'acme', ...texts, ...pages, ...times } })
    const store = failureStore(prisma)
    const record = (given: NewFailure, count = 1) => recordFailure(prisma, given, count, bounds)
    const ids = async (query: Partial<Parameters<typeof store.list>[1]> = {}) =>
      (await store.list('acme-web', { most: 50, ...query })).map(({ id }) => id)
    return { database, prisma, store, record, ids }
  }

  it('counts equal ones together, with the first and the latest time', async () => {
    const { store, record } = await setUp()
    await record(failure('a'))
    await record(failure('a', { at: minutes(5), detail: { kid: 'a', secondsLate: 7 } }), 3)
    const [found, ...others] = await store.list('acme-web', { most: 50 })
    expect(others).toEqual([])
    expect(found).toEqual({
      id: 'a',
      endpoint: 'token',
      code: 'invalid_client',
      reason: 'no key with this kid is registered',
      detail: { kid: 'a', secondsLate: 7 },
      count: 4,
      isMerged: false,
      firstAt: start,
      lastAt: minutes(5),
    })
  })

  it('counts every one of eight equal ones at once', async () => {
    const { store, record } = await setUp()
    await Promise.all(Array.from({ length: 8 }, () => record(failure('a'))))
    expect(await store.list('acme-web', { most: 50 })).toMatchObject([{ count: 8 }])
  })

  it('counts a new value in the row of its cause once the cause has as many as it may', async () => {
    const { store, record, ids } = await setUp({ mostDistinct: 100, mostOfCause: 2 })
    await record(failure('real', { at: minutes(1) }))
    for (const made of ['b', 'c', 'd']) await record(failure(made, { at: minutes(2) }))
    await record(failure('real', { at: minutes(3) }))
    expect(await ids()).toEqual(['real', 'cause', 'b'])
    const [, merged] = await store.list('acme-web', { most: 50 })
    expect(merged).toMatchObject({ count: 2, isMerged: true, detail: { kid: 'd' } })
  })

  it('still adds other causes after one cause is full, until the app has as many as it may', async () => {
    const { record, ids } = await setUp({ mostDistinct: 3, mostOfCause: 2 })
    for (const made of ['a', 'b', 'c']) await record(failure(made))
    await record(failure('x', { causeId: 'other' }))
    await record(failure('y', { causeId: 'third' }))
    expect((await ids()).sort()).toEqual(['a', 'b', 'cause', 'other', 'third'])
  })

  it('keeps the limits of one app apart from those of another', async () => {
    const { store, record } = await setUp({ mostDistinct: 1, mostOfCause: 1 })
    await record(failure('a'))
    await record(failure('b', { appId: 'acme-mail', causeId: 'mail' }))
    expect(await store.list('acme-mail', { most: 50 })).toMatchObject([{ id: 'b', isMerged: false }])
  })

  it('are listed newest first, page by page, also those of the same millisecond', async () => {
    const { record, ids, store } = await setUp()
    for (const [index, id] of ['a', 'b', 'c', 'd', 'e'].entries())
      await record(failure(id, { at: minutes(Math.floor(index / 2)) }))
    expect(await ids()).toEqual(['e', 'd', 'c', 'b', 'a'])
    const [, second] = await store.list('acme-web', { most: 2 })
    expect(await ids({ after: second, most: 2 })).toEqual(['c', 'b'])
  })

  it('are listed of one endpoint, and those of mail only where they are asked for', async () => {
    const { prisma, record, ids, store } = await setUp()
    await record(failure('a'))
    await record(failure('b', { endpoint: 'authorize' }))
    await record(failure('m', { endpoint: 'relay' }))
    expect((await ids()).sort()).toEqual(['a', 'b'])
    expect(await ids({ endpoint: 'authorize' })).toEqual(['b'])
    expect(await store.listEndpoints('acme-web')).toEqual(['authorize', 'token'])
    expect(await listFailures(prisma, 'acme-web', { most: 50 })).toHaveLength(3)
  })

  it('are swept seven days after they last happened, in batches', async () => {
    const { database, record, ids } = await setUp()
    for (const id of ['a', 'b', 'c']) await record(failure(id))
    await record(failure('new', { at: minutes(60) }))
    const sweep = sweeps(database).find(({ table }) => table === 'Failure')
    const later = minutes(7 * 24 * 60 + 1)
    expect(await sweep?.run(later, 2)).toMatchObject({ count: 2 })
    expect(await sweep?.run(later, 2)).toMatchObject({ count: 1 })
    expect(await ids()).toEqual(['new'])
  })

  it('are deleted with their app', async () => {
    const { prisma, record } = await setUp()
    await record(failure('a'))
    await prisma.app.delete({ where: { id: 'acme-web' } })
    expect(await prisma.failure.count()).toBe(0)
  })

  it('are read and counted in a few statements with 10,000 rows', async () => {
    let statements = 0
    const { prisma, record, store } = await setUp({ mostDistinct: 10_000, mostOfCause: 1_000 }, () => statements++)
    const row = { appId: 'acme-web', endpoint: 'token', code: '', reason: '', detail: '{}', count: 1, firstAt: start }
    for (let cause = 0; cause < 10; cause++) {
      const data = Array.from({ length: 1_000 }, (_, n) => ({ ...row, id: `${cause}-${n}`, causeId: `${cause}` }))
      await prisma.failure.createMany({ data: data.map((one, n) => ({ ...one, lastAt: minutes(n) })) })
    }
    const costOf = async (work: () => Promise<unknown>) => {
      const before = statements
      await work()
      return statements - before
    }
    expect(await costOf(() => store.list('acme-web', { most: 51, after: { lastAt: minutes(7), id: '4-7' } }))).toBe(1)
    expect(await costOf(() => store.listEndpoints('acme-web'))).toBe(1)
    expect(await costOf(() => record(failure('4-7')))).toBe(1)
    expect(await costOf(() => record(failure('new')))).toBeLessThanOrEqual(5)
    expect(await prisma.failure.count()).toBe(10_001)
    expect(await prisma.failure.findUnique({ where: { id: 'cause' } })).toMatchObject({ count: 1 })
  })
})
