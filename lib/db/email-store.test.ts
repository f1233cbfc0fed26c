import { expect, test } from 'vitest'
import { onBothDatabases } from '#lib/testing/databases'
import { ada, apply, fileOf, web } from '#lib/testing/provision'
import { emailStore } from './email-store.ts'
import { recoveryStore } from './recovery-store.ts'

const now = new Date('2026-11-20T10:00:00Z')

onBothDatabases('bound addresses', (open) => {
  async function setUp() {
    const database = await open()
    const { prisma } = database
    await apply(database, fileOf([web], [ada, { username: 'bob', password: 'correct horse' }]))
    const idOf = async (username: string) => (await prisma.person.findUniqueOrThrow({ where: { username } })).id
    const emailOf = async (username: string) => (await prisma.person.findUniqueOrThrow({ where: { username } })).email
    const emails = emailStore(prisma)
    return {
      prisma,
      emails,
      recoveries: recoveryStore(prisma),
      ada: await idOf('ada'),
      bob: await idOf('bob'),
      emailOf,
    }
  }

  test('of two people who bind one address at once, one gets it', async () => {
    const { prisma, emails, ada, bob } = await setUp()
    await prisma.person.updateMany({ data: { email: null } })
    const tries = [ada, bob, ada, bob, ada, bob, ada, bob].map((id) =>
      emails.bindAddress(id, 'x@example.org', undefined),
    )
    const answers = await Promise.all(tries)
    expect(answers.filter((answer) => answer === 'bound')).toHaveLength(1)
    expect(await prisma.person.count({ where: { email: 'x@example.org' } })).toBe(1)
  })

  test('a change holds only in place of the address that was seen', async () => {
    const { emails, ada, bob, emailOf } = await setUp()
    expect(await emails.bindAddress(ada, 'new@example.org', 'other@example.org')).toBe('moved')
    expect(await emails.bindAddress(ada, 'new@example.org', undefined)).toBe('moved')
    expect(await emails.bindAddress(bob, 'ada@example.org', undefined)).toBe('taken')
    expect(await emails.bindAddress(ada, 'new@example.org', 'ada@example.org')).toBe('bound')
    expect([await emailOf('ada'), await emailOf('bob')]).toEqual(['new@example.org', null])
  })

  test('an account is found by username or bound address, unless it is disabled; an owner always', async () => {
    const { prisma, emails, ada } = await setUp()
    const found = { personId: ada, username: 'ada', email: 'ada@example.org', locale: '' }
    expect(await emails.findAccount('ada')).toEqual(found)
    expect(await emails.findAccount('ada@example.org')).toEqual(found)
    expect(await emails.findAccount('nobody@example.org')).toBeUndefined()
    await prisma.person.update({ where: { id: ada }, data: { disabledAt: now } })
    expect(await emails.findAccount('ada')).toBeUndefined()
    expect(await emails.findOwner('ada@example.org')).toEqual(found)
  })

  test.each(['regular', 'hidden'])('an address that an app gets as %s is not removed', async (emailChoice) => {
    const { prisma, emails, ada, emailOf } = await setUp()
    const consent = { personId: ada, appId: web.client_id, granted: 'openid email', declined: '' }
    await prisma.consent.create({ data: { ...consent, emailChoice, createdAt: now, updatedAt: now } })
    expect(await emails.removeAddress(ada, 'ada@example.org')).toBe(false)
    expect(await emails.appsWithAddress(ada)).toEqual([{ id: web.client_id, name: web.name, logoFile: undefined }])
    await prisma.consent.updateMany({ data: { emailChoice: 'none' } })
    expect(await emails.appsWithAddress(ada)).toEqual([])
    expect(await emails.removeAddress(ada, 'old@example.org')).toBe(false)
    expect(await emails.removeAddress(ada, 'ada@example.org')).toBe(true)
    expect(await emailOf('ada')).toBeNull()
  })

  test('of eight new passwords in place of one, one is kept, and every session ends', async () => {
    const { prisma, recoveries, ada } = await setUp()
    const session = { publicId: 'p', amr: 'pwd', createdAt: now, authenticatedAt: now, lastSeenAt: now, expiresAt: now }
    await prisma.session.create({ data: { id: 's', personId: ada, ...session } })
    const before = (await recoveries.findRecovering(ada))?.passwordHash
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        recoveries.resetPassword({ personId: ada, before, hash: `hash-${n}`, now, revoke: true }),
      ),
    )
    expect(answers.filter(Boolean)).toHaveLength(1)
    expect((await recoveries.findRecovering(ada))?.passwordHash).toBe(`hash-${answers.indexOf(true)}`)
    expect((await prisma.session.findUniqueOrThrow({ where: { id: 's' } })).endedAt).toEqual(now)
  })

  test('who has no password yet gets a first one, once', async () => {
    const { prisma, recoveries, ada } = await setUp()
    await prisma.person.update({ where: { id: ada }, data: { passwordHash: null } })
    const reset = (hash: string) =>
      recoveries.resetPassword({ personId: ada, before: undefined, hash, now, revoke: false })
    expect([await reset('first'), await reset('second')]).toEqual([true, false])
  })
})
