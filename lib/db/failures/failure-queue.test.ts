import { afterEach, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '#lib/db/engine/client'
import { withRequest } from '#lib/queue/current-request'
import { freshUrl, kinds } from '#lib/testing/databases/databases'
import { failureQueue } from './failure-queue.ts'

const opened: Database[] = []
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close()
})

const answer = { endpoint: 'token', code: 'invalid_grant' }

describe.each(kinds)('recent failures on %s', (kind) => {
  const setUp = async () => {
    let statements = 0
    const database = await openDatabase(await freshUrl(kind), () => statements++)
    opened.push(database)
    const { prisma } = database
    const times = { createdAt: new Date(), updatedAt: new Date() }
    await prisma.team.create({ data: { id: 'acme', name: 'Acme', ...times } })
    const texts = { name: 'Acme', kind: 'public', profile: 'standard', redirectUris: '[]', scopes: 'openid' }
    const pages = { requiredScopes: 'openid', email: 'none', homepage: '', policyUri: '', tosUri: '' }
    await prisma.app.create({ data: { id: 'acme-web', teamId: 'acme', ...texts, ...pages, ...times } })
    const faults: unknown[] = []
    const record = failureQueue(prisma, { mostDistinct: 1000, mostOfCause: 1000, mostWaiting: 20 }, (fault) =>
      faults.push(fault),
    )
    const refuse = (id: string, appId = 'acme-web', causeId = id) =>
      record({ ...{ id, appId, causeId, reason: id }, ...answer, detail: {}, isMerged: false, at: new Date() })
    const counts = async () => Object.fromEntries((await prisma.failure.findMany()).map(({ id, count }) => [id, count]))
    return { refuse, counts, faults, statements: () => statements }
  }

  it('counts a thousand equal refusals in a few statements', async () => {
    const { refuse, counts, statements } = await setUp()
    const before = statements()
    for (let n = 0; n < 1000; n++) refuse(n % 2 ? 'a' : 'b')
    await expect.poll(counts).toEqual({ a: 500, b: 500 })
    expect(statements() - before).toBeLessThan(100)
  })

  it('writes the refusals of a request that has timed out and of later ones', async () => {
    const { refuse, counts, faults } = await setUp()
    const request = { id: 'r', address: '', abandoned: () => new AbortController().signal, isOver: true }
    withRequest(request, () => refuse('a'))
    refuse('b')
    await expect.poll(counts).toEqual({ a: 1, b: 1 })
    expect(faults).toEqual([])
  })

  it('reports a refusal that cannot be written, and writes the others', async () => {
    const { refuse, counts, faults } = await setUp()
    refuse('a')
    refuse('b', 'nobody')
    refuse('c')
    await expect.poll(counts).toEqual({ a: 1, c: 1 })
    expect(faults).toHaveLength(1)
    refuse('a')
    await expect.poll(counts).toEqual({ a: 2, c: 1 })
  })

  it('counts with others of their cause what does not fit the queue', async () => {
    const { refuse, counts } = await setUp()
    for (let n = 0; n < 30; n++) refuse(`value ${n}`, 'acme-web', 'cause')
    await expect.poll(async () => (await counts()).cause).toBe(10)
    await expect.poll(async () => Object.keys(await counts()).length).toBe(21)
  })
})
