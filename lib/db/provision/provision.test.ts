import { expect, it } from 'vitest'
import { sha256 } from '#lib/crypto/hash'
import type { Database } from '#lib/db/engine/client'
import { onBothDatabases } from '#lib/testing/databases/databases'
import { ada, apply, fileOf, robot, said, toolsAt, wantedOf, web } from '#lib/testing/databases/provision'
import { ChangedMeanwhile, planProvision, writeProvision } from './provision.ts'
import type { Logo } from './provision-apps.ts'

onBothDatabases('provisioning', (open) => {
  it('creates the team, apps, secret, keys and people of a file', async () => {
    const database = await open()
    const { plan, secrets } = await apply(database, fileOf([web, robot], [ada]))
    expect(said(plan).map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
      'create team acme',
      'create app acme-web',
      'create secret acme-web',
      'create app acme-robot',
      'create key acme-robot/k1',
      'create person ada',
    ])
    const app = await database.prisma.app.findUniqueOrThrow({ where: { id: 'acme-web' }, include: { secrets: true } })
    expect(app).toMatchObject({
      teamId: 'acme',
      kind: 'confidential',
      redirectUris: '["https://acme.example/cb"]',
      scopes: 'openid',
      requiredScopes: 'openid',
      email: 'none',
      homepage: '',
      logoFile: null,
      profile: 'standard',
    })
    expect(app.secrets.map((secret) => secret.hash)).toEqual([sha256(secrets.get('acme-web') ?? '')])
    expect([...secrets.keys()]).toEqual(['acme-web'])
    const person = await database.prisma.person.findUniqueOrThrow({ where: { username: 'ada' } })
    expect(person).toMatchObject({
      passwordHash: 'hash-of-ada',
      passwordSetAt: toolsAt().now,
      email: 'ada@example.org',
      name: 'Ada',
      nickname: '',
      locale: '',
      createdAt: toolsAt().now,
      profileUpdatedAt: toolsAt().now,
    })
    expect(person.id).toMatch(/^[A-Za-z0-9_-]{22}$/)
  })

  it('changes nothing when a file is applied again', async () => {
    const database = await open()
    const file = fileOf([{ ...web, client_secret: 'a secret of theirs' }, robot], [ada])
    await apply(database, file)
    const again = await apply(database, file, [], toolsAt('2027-01-01T00:00:00Z'))
    expect([again.plan.steps, again.plan.notes, again.secrets.size]).toEqual([[], [], 0])
    expect((await database.prisma.app.findUniqueOrThrow({ where: { id: 'acme-web' } })).updatedAt).toEqual(
      toolsAt().now,
    )
  })

  it('writes nothing when it only plans', async () => {
    const { prisma } = await open()
    const plan = await planProvision(prisma, wantedOf(fileOf([web, robot], [ada])), toolsAt())
    expect(plan.generates).toEqual(['acme-web'])
    expect(
      await Promise.all([prisma.team.count(), prisma.app.count(), prisma.appSecret.count(), prisma.person.count()]),
    ).toEqual([0, 0, 0, 0])
  })

  it('reports and writes only the fields that differ', async () => {
    const database = await open()
    await apply(
      database,
      fileOf([{ ...web, homepage: 'https://acme.example' }], [{ ...ada, nickname: 'A', biography: 'B' }]),
    )
    const changed = {
      teams: [{ id: 'acme', name: 'Acme Ltd', apps: [{ ...web, scopes: ['openid', 'name'] }] }],
      people: [{ username: 'ada', nickname: '' }],
    }
    const { plan } = await apply(database, changed, [], toolsAt('2027-01-01T00:00:00Z'))
    expect(said(plan)).toEqual(['update team acme name', 'update app acme-web scopes', 'update person ada nickname'])
    const app = await database.prisma.app.findUniqueOrThrow({ where: { id: 'acme-web' } })
    expect(app).toMatchObject({
      homepage: 'https://acme.example',
      scopes: 'openid name',
      createdAt: toolsAt().now,
      updatedAt: new Date('2027-01-01T00:00:00Z'),
    })
    const person = await database.prisma.person.findUniqueOrThrow({ where: { username: 'ada' } })
    expect(person).toMatchObject({
      name: 'Ada',
      nickname: '',
      biography: 'B',
      profileUpdatedAt: new Date('2027-01-01T00:00:00Z'),
    })
  })

  it('keeps what the file omits', async () => {
    const database = await open()
    await apply(database, fileOf([web, robot], [ada]))
    const { plan } = await apply(database, { teams: [{ id: 'other', name: 'Other' }] })
    expect(said(plan)).toEqual(['create team other name,trusted'])
    expect(await database.prisma.app.count()).toBe(2)
    expect(await database.prisma.person.count()).toBe(1)
  })

  it('rejects moving an app to another team', async () => {
    const database = await open()
    await apply(database, fileOf([web]))
    const { plan } = await apply(database, { teams: [{ id: 'globex', name: 'Globex', apps: [web] }] })
    expect(plan.problems).toEqual([
      { path: 'teams[0].apps[0].client_id', message: expect.stringContaining('belongs to team acme') },
    ])
    expect(await database.prisma.team.count()).toBe(1)
  })

  it('changes the kind of an app, and reports it', async () => {
    const database = await open()
    await apply(database, fileOf([web]))
    const { plan } = await apply(database, fileOf([{ ...web, kind: 'public' }]))
    expect(said(plan)).toEqual(['update app acme-web kind'])
    expect(plan.notes).toEqual([expect.stringContaining('from confidential to public')])
  })

  it('stores a logo once, and replaces and deletes it when its bytes differ', async () => {
    const { prisma, ...database } = await open()
    const logo = (file: string, byte: number): [string, Logo] => [
      'acme-web',
      { file, mediaType: 'image/png', bytes: new Uint8Array([byte]) },
    ]
    const files = async () => (await prisma.picture.findMany()).map((picture) => picture.file)
    await apply({ prisma, ...database } as Database, fileOf([web]), [logo('one.png', 1)])
    expect(said((await apply({ prisma, ...database } as Database, fileOf([web]), [logo('two.png', 1)])).plan)).toEqual(
      [],
    )
    expect(await files()).toEqual(['one.png'])
    expect(
      said((await apply({ prisma, ...database } as Database, fileOf([web]), [logo('three.png', 2)])).plan),
    ).toEqual(['update app acme-web logo'])
    expect(await files()).toEqual(['three.png'])
    expect((await prisma.app.findUniqueOrThrow({ where: { id: 'acme-web' } })).logoFile).toBe('three.png')
  })

  it('requires a password and a free address for a new person', async () => {
    const database = await open()
    await apply(database, fileOf([], [ada]))
    const { plan } = await apply(database, fileOf([], [{ username: 'bob', email: 'ADA@example.org' }]))
    expect(plan.problems.map((problem) => problem.path)).toEqual(['people[0].password', 'people[0].email'])
  })

  it('keeps password and address of an existing person, and reports another address', async () => {
    const database = await open()
    await apply(database, fileOf([], [ada]))
    const { plan } = await apply(
      database,
      fileOf([], [{ ...ada, password: 'battery staple', email: 'other@example.org' }]),
      [],
      toolsAt('2027-01-01T00:00:00Z'),
    )
    expect(plan.steps).toEqual([])
    expect(plan.notes).toEqual([expect.stringContaining('people[0].email')])
    expect(plan.passwords).toMatchObject([{ username: 'ada', password: 'battery staple', stored: 'hash-of-ada' }])
    expect(await database.prisma.person.findFirst()).toMatchObject({
      passwordHash: 'hash-of-ada',
      passwordSetAt: toolsAt().now,
      email: 'ada@example.org',
    })
  })

  it('writes nothing when a step fails', async () => {
    const database = await open()
    const tools = { ...toolsAt(), passwordHashes: new Map<string, string>() }
    await expect(apply(database, fileOf([web], [ada]), [], tools)).rejects.toThrow('No password hash')
    expect(await database.prisma.team.count()).toBe(0)
    expect(await database.prisma.app.count()).toBe(0)
  })

  it('does not write a plan that is out of date', async () => {
    const database = await open()
    const wanted = wantedOf(fileOf([web], [ada]))
    const plan = await planProvision(database.prisma, wanted, toolsAt())
    await apply(database, fileOf([], [ada]))
    await expect(writeProvision(database, wanted, toolsAt(), plan)).rejects.toBeInstanceOf(ChangedMeanwhile)
    expect(await database.prisma.app.count()).toBe(0)
  })

  it('writes a plan once when eight processes write it at once, and tells the others', async () => {
    const database = await open()
    const wanted = wantedOf(fileOf([web], [ada]))
    const plan = await planProvision(database.prisma, wanted, toolsAt())
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => writeProvision(database, wanted, toolsAt(), plan)),
    )
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(ChangedMeanwhile)
    expect(await database.prisma.appSecret.count()).toBe(1)
  })
})
