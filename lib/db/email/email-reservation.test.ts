import { expect, it } from 'vitest'
import { makePeopleStore } from '#lib/db/account/people-store'
import { onBothDatabases } from '#lib/testing/databases/databases'
import { ada, apply, fileOf, toolsAt, web } from '#lib/testing/databases/provision'
import { emailStore } from './email-store.ts'

const now = new Date('2026-11-20T10:00:00Z')
const expiresAt = new Date('2026-11-27T10:00:00Z')
const undo = { sessionId: 's', undoHash: undefined, expiresAt }
const recorded = { id: 'act', at: now, actor: '', reason: '' }
const bob = { username: 'bob', password: 'correct horse' }

onBothDatabases('reserved addresses', (open) => {
  async function setUp() {
    const database = await open()
    const { prisma } = database
    await apply(database, fileOf([web], [ada, bob]))
    const idOf = async (username: string) => (await prisma.person.findUniqueOrThrow({ where: { username } })).id
    const emails = emailStore(prisma)
    const bind = (id: string, address: string, before: string | undefined, at = now) =>
      emails.bindAddress(id, { address, before, now: at, undo })
    return { database, prisma, emails, bind, ada: await idOf('ada'), bob: await idOf('bob') }
  }

  it('are refused to other accounts for a week, and free for their own', async () => {
    const { emails, bind, ada, bob } = await setUp()
    expect(await bind(ada, 'new@example.org', 'ada@example.org')).toBe('bound')
    const before = new Date(expiresAt.getTime() - 1)
    for (const at of [now, before]) {
      expect(await emails.isReserved('ada@example.org', bob, at)).toBe(true)
      expect(await bind(bob, 'ada@example.org', undefined, at)).toBe('taken')
    }
    expect(await emails.isReserved('ada@example.org', ada, now)).toBe(false)
    expect(await bind(ada, 'ada@example.org', 'new@example.org')).toBe('bound')
    expect(await bind(bob, 'new@example.org', undefined)).toBe('taken')
    expect(await emails.isReserved('new@example.org', bob, expiresAt)).toBe(false)
    expect(await bind(bob, 'new@example.org', undefined, expiresAt)).toBe('bound')
  })

  it('are refused after a removal, also by commands and files of the operator', async () => {
    const { database, prisma, emails, ada } = await setUp()
    expect(await emails.removeAddress(ada, { address: 'ada@example.org', now, undo })).toBe(true)
    const grace = { username: 'grace', email: 'ada@example.org', name: '', locale: '' }
    const people = makePeopleStore(prisma)
    expect(await people.create({ id: 'g', ...grace }, recorded)).toBe('email reserved')
    const file = fileOf([web], [{ ...bob, username: 'carol', email: 'ada@example.org' }])
    const { plan } = await apply(database, file)
    expect(plan.problems.map(({ path, message }) => `${path} ${message}`)).toEqual([
      'people[0].email belonged to another account until lately, which can take it back',
    ])
    expect(await prisma.person.count()).toBe(2)
    const late = { ...toolsAt(expiresAt.toISOString()), passwordHashes: new Map([['carol', 'hash']]) }
    expect((await apply(database, file, [], late)).plan.problems).toEqual([])
  })

  it('never go to another account that binds them at the moment of the change', async () => {
    const { prisma, bind, ada, bob } = await setUp()
    for (let round = 0; round < 8; round++) {
      const [old, fresh] = [`a${round}@example.org`, `b${round}@example.org`]
      await prisma.person.update({ where: { id: ada }, data: { email: old } })
      await Promise.all([bind(ada, fresh, old), ...Array.from({ length: 7 }, () => bind(bob, old, undefined))])
      expect((await prisma.person.findUniqueOrThrow({ where: { id: bob } })).email).toBeNull()
    }
  })
})
