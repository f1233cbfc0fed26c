import { expect, it } from 'vitest'
import { recoveryStore } from '#lib/db/sign-in/recovery-store'
import { onBothDatabases } from '#lib/testing/databases/databases'
import { ada, apply, fileOf, web } from '#lib/testing/databases/provision'
import { emailStore } from './email-store.ts'

const now = new Date('2026-11-20T10:00:00Z')
const everything = { secondFactor: false, signOut: true, revoke: true }
const undo = { sessionId: '', undoHash: undefined, expiresAt: new Date('2026-11-27T10:00:00Z') }
const later = new Date('2026-11-21T10:00:00Z')

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
      recoveries: recoveryStore(prisma, 14),
      ada: await idOf('ada'),
      bob: await idOf('bob'),
      emailOf,
    }
  }

  it('binds an address to one of two people who claim it at once', async () => {
    const { prisma, emails, ada, bob } = await setUp()
    await prisma.person.updateMany({ data: { email: null } })
    const tries = [ada, bob, ada, bob, ada, bob, ada, bob].map((id) =>
      emails.bindAddress(id, { address: 'x@example.org', before: undefined, now, undo }),
    )
    const answers = await Promise.all(tries)
    expect(answers.filter((answer) => answer === 'bound')).toHaveLength(1)
    expect(await prisma.person.count({ where: { email: 'x@example.org' } })).toBe(1)
  })

  it('changes the address only if it has not changed since it was read', async () => {
    const { emails, ada, bob, emailOf } = await setUp()
    expect(await emails.bindAddress(ada, { address: 'new@example.org', before: 'other@example.org', now, undo })).toBe(
      'moved',
    )
    expect(await emails.bindAddress(ada, { address: 'new@example.org', before: undefined, now, undo })).toBe('moved')
    expect(await emails.bindAddress(bob, { address: 'ada@example.org', before: undefined, now, undo })).toBe('taken')
    expect(await emails.bindAddress(ada, { address: 'new@example.org', before: 'ada@example.org', now, undo })).toBe(
      'bound',
    )
    expect([await emailOf('ada'), await emailOf('bob')]).toEqual(['new@example.org', null])
  })

  it('finds an account by username or bound address unless it is disabled, and always finds an owner', async () => {
    const { prisma, emails, ada } = await setUp()
    const found = { personId: ada, username: 'ada', email: 'ada@example.org', locale: '' }
    expect(await emails.findAccount('ada')).toEqual(found)
    expect(await emails.findAccount('ada@example.org')).toEqual(found)
    expect(await emails.findAccount('nobody@example.org')).toBeUndefined()
    await prisma.person.update({ where: { id: ada }, data: { disabledAt: now } })
    expect(await emails.findAccount('ada')).toBeUndefined()
    expect(await emails.findOwner('ada@example.org')).toEqual(found)
  })

  it.each(['regular', 'hidden'])('keeps an address that an app receives as %s', async (emailChoice) => {
    const { prisma, emails, ada, emailOf } = await setUp()
    const consent = { personId: ada, appId: web.client_id, granted: 'openid email', declined: '' }
    await prisma.consent.create({ data: { ...consent, emailChoice, createdAt: now, updatedAt: now } })
    expect(await emails.removeAddress(ada, { address: 'ada@example.org', now, undo })).toBe(false)
    expect(await emails.appsWithAddress(ada)).toEqual([
      { id: web.client_id, name: web.name, names: {}, logoFile: undefined },
    ])
    await prisma.consent.updateMany({ data: { emailChoice: 'none' } })
    expect(await emails.appsWithAddress(ada)).toEqual([])
    expect(await emails.removeAddress(ada, { address: 'old@example.org', now, undo })).toBe(false)
    expect(await emails.removeAddress(ada, { address: 'ada@example.org', now, undo })).toBe(true)
    expect(await emailOf('ada')).toBeNull()
  })

  it('records a removed address as a former one, and deletes the record when it is bound again', async () => {
    const { prisma, emails, ada } = await setUp()
    const former = async () => (await prisma.formerEmail.findMany()).map(({ address, until }) => [address, until])
    const bind = (address: string, before: string | undefined, at: Date) =>
      emails.bindAddress(ada, { address, before, now: at, undo })
    await bind('two@example.org', 'ada@example.org', now)
    expect(await former()).toEqual([['ada@example.org', now]])
    await bind('ada@example.org', 'two@example.org', later)
    expect(await former()).toEqual([['two@example.org', later]])
    await bind('two@example.org', 'ada@example.org', now)
    expect(await emails.removeAddress(ada, { address: 'two@example.org', now: later, undo })).toBe(true)
    expect((await former()).sort()).toEqual([
      ['ada@example.org', now],
      ['two@example.org', later],
    ])
    await bind('three@example.org', undefined, later)
    expect(await former()).toHaveLength(2)
  })

  it('records no former address when nothing changes', async () => {
    const { prisma, emails, ada, bob } = await setUp()
    await emails.bindAddress(ada, { address: 'new@example.org', before: 'other@example.org', now, undo })
    await prisma.person.update({ where: { id: bob }, data: { email: 'bob@example.org' } })
    expect(await emails.bindAddress(bob, { address: 'ada@example.org', before: 'bob@example.org', now, undo })).toBe(
      'taken',
    )
    expect(await emails.removeAddress(ada, { address: 'other@example.org', now, undo })).toBe(false)
    expect(await prisma.formerEmail.count()).toBe(0)
  })

  it('applies one of eight concurrent changes and removals, and records one former address', async () => {
    const { prisma, emails, ada, emailOf } = await setUp()
    const answers = await Promise.all(
      Array.from({ length: 8 }, async (_, n) =>
        n % 2 === 0
          ? emails.removeAddress(ada, { address: 'ada@example.org', now, undo })
          : (await emails.bindAddress(ada, { address: `n${n}@example.org`, before: 'ada@example.org', now, undo })) ===
            'bound',
      ),
    )
    expect(answers.filter(Boolean)).toHaveLength(1)
    const winner = answers.indexOf(true)
    expect(await emailOf('ada')).toBe(winner % 2 === 0 ? null : `n${winner}@example.org`)
    expect(await prisma.formerEmail.findMany()).toEqual([{ personId: ada, address: 'ada@example.org', until: now }])
  })

  it('resumes paused mail when the address is confirmed, changed or removed', async () => {
    const { prisma, emails, ada, bob } = await setUp()
    const pause = async () => {
      await prisma.person.update({ where: { id: ada }, data: { mailPausedAt: now } })
      for (const n of [1, 2, 3]) await prisma.returnedMail.create({ data: { id: `${n}`, personId: ada, at: now } })
    }
    const state = async () => [
      (await prisma.person.findUniqueOrThrow({ where: { id: ada } })).mailPausedAt,
      await prisma.returnedMail.count(),
    ]
    await pause()
    expect(await emails.confirmAddress(ada, 'other@example.org')).toBe(false)
    expect(await emails.confirmAddress(bob, 'ada@example.org')).toBe(false)
    expect(await state()).toEqual([now, 3])
    const tries = await Promise.all(Array.from({ length: 8 }, () => emails.confirmAddress(ada, 'ada@example.org')))
    expect(tries.filter(Boolean)).toHaveLength(1)
    expect(await state()).toEqual([null, 0])
    await pause()
    await emails.bindAddress(ada, { address: 'new@example.org', before: 'ada@example.org', now, undo })
    expect(await state()).toEqual([null, 0])
    await pause()
    await emails.removeAddress(ada, { address: 'new@example.org', now, undo })
    expect(await state()).toEqual([null, 0])
  })

  it('keeps one of eight concurrent new passwords, and ends every session', async () => {
    const { prisma, recoveries, ada } = await setUp()
    const session = { publicId: 'p', amr: 'pwd', createdAt: now, authenticatedAt: now, lastSeenAt: now, expiresAt: now }
    await prisma.session.create({ data: { id: 's', personId: ada, ...session } })
    const before = (await recoveries.findRecovering(ada, now))?.passwordHash
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        recoveries.resetPassword({ personId: ada, before, hash: `hash-${n}`, now, ...everything }),
      ),
    )
    expect(answers.filter(Boolean)).toHaveLength(1)
    expect((await recoveries.findRecovering(ada, now))?.passwordHash).toBe(`hash-${answers.findIndex(Boolean)}`)
    expect((await prisma.session.findUniqueOrThrow({ where: { id: 's' } })).endedAt).toEqual(now)
  })

  it('sets a first password once', async () => {
    const { prisma, recoveries, ada } = await setUp()
    await prisma.person.update({ where: { id: ada }, data: { passwordHash: null } })
    const reset = (hash: string) =>
      recoveries.resetPassword({ personId: ada, before: undefined, hash, now, ...everything })
    expect([await reset('first'), await reset('second')]).toEqual([
      { sessions: 0, apps: 0, secondFactor: false },
      undefined,
    ])
  })
})
