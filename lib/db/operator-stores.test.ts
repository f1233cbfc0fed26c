import { expect, it } from 'vitest'
import { makePeopleStore } from '#lib/db/account/people-store'
import { makeAppStore } from '#lib/db/apps/app-store'
import type { Prisma } from '#lib/db/engine/client'
import { onBothDatabases } from '#lib/testing/process/databases'

const now = new Date('2026-11-20T10:00:00Z')
const later = new Date('2026-11-21T10:00:00Z')
const times = { createdAt: now, updatedAt: now }
const noProfile = { nickname: '', biography: '', gender: '', birthdate: '', region: '', locale: '' }

async function seed(prisma: Prisma) {
  await prisma.team.create({ data: { id: 'acme', name: 'Acme', ...times } })
  for (const kind of ['confidential', 'public', 'assertion']) {
    const rest = {
      profile: 'standard',
      redirectUris: '["https://a.example/"]',
      scopes: 'openid',
      requiredScopes: 'openid',
      email: 'none',
    }
    await prisma.app.create({
      data: { id: kind, teamId: 'acme', name: kind, kind, ...rest, homepage: '', policyUri: '', tosUri: '', ...times },
    })
  }
  await prisma.person.create({
    data: { id: 'p1', username: 'ada', name: 'Ada', ...noProfile, profileUpdatedAt: now, createdAt: now },
  })
}

onBothDatabases('apps and people of the operator', (open) => {
  it('adds a secret to confidential apps only, up to two', async () => {
    const { prisma } = await open()
    await seed(prisma)
    const store = makeAppStore(prisma)
    const add = (app: string, id: string) => store.addSecret(app, { id, hash: id }, { now, most: 2 })
    expect(await add('nobody', 's0')).toBe('unknown app')
    expect(await add('public', 's0')).toBe('not confidential')
    const outcomes = await Promise.all(Array.from({ length: 8 }, (_, n) => add('confidential', `s${n}`)))
    expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(2)
    expect(outcomes.filter((outcome) => outcome === 'enough are live')).toHaveLength(6)
    expect((await store.find('confidential', now))?.secrets).toHaveLength(2)
  })

  it('removes a secret of this app only', async () => {
    const { prisma } = await open()
    await seed(prisma)
    const store = makeAppStore(prisma)
    await store.addSecret('confidential', { id: 's1', hash: 'h' }, { now, most: 2 })
    expect(await store.removeSecret('public', 's1')).toBe('unknown')
    expect(await store.removeSecret('confidential', 's1')).toBe('removed')
    expect((await store.find('confidential', now))?.secrets).toEqual([])
  })

  it('removes a key unless it is the last one', async () => {
    const { prisma } = await open()
    await seed(prisma)
    const store = makeAppStore(prisma)
    for (const kid of ['k1', 'k2'])
      await prisma.appKey.create({ data: { appId: 'assertion', kid, jwk: '{}', createdAt: now } })
    expect(await store.removeKey('assertion', 'k3')).toBe('unknown')
    expect(await store.removeKey('assertion', 'k1')).toBe('removed')
    expect(await store.removeKey('assertion', 'k2')).toBe('last')
    const registration = JSON.stringify({ jwks_uri: 'https://acme.example/jwks' })
    await prisma.app.update({ where: { id: 'assertion' }, data: { registration } })
    expect(await store.removeKey('assertion', 'k2')).toBe('removed')
  })

  it('replaces a picture and deletes the old one', async () => {
    const { prisma } = await open()
    await seed(prisma)
    const store = makePeopleStore(prisma)
    const picture = (file: string) => ({ file, mediaType: 'image/png', bytes: new Uint8Array([1]) })
    expect(await store.setPicture('nobody', picture('x.png'), later)).toBe(false)
    expect(await store.setPicture('ada', picture('a.png'), now)).toBe(true)
    expect(await store.setPicture('ada', picture('b.png'), later)).toBe(true)
    expect((await prisma.picture.findMany()).map(({ file }) => file)).toEqual(['b.png'])
    expect(await prisma.person.findFirst()).toMatchObject({ avatarFile: 'b.png', profileUpdatedAt: later })
  })

  it('disables a person once, ends their sessions, and can enable them again', async () => {
    const { prisma } = await open()
    await seed(prisma)
    const session = {
      personId: 'p1',
      amr: 'pwd',
      createdAt: now,
      authenticatedAt: now,
      lastSeenAt: now,
      expiresAt: later,
    }
    await prisma.session.create({ data: { id: 's', publicId: 'x', ...session } })
    const store = makePeopleStore(prisma)
    expect(await store.setDisabled('nobody', now)).toBe(false)
    expect(await store.setDisabled('ada', now)).toBe(true)
    expect(await store.setDisabled('ada', later)).toBe(true)
    expect((await store.list()).map(({ username, disabledAt }) => ({ username, disabledAt }))).toEqual([
      { username: 'ada', disabledAt: now },
    ])
    expect((await prisma.session.findFirst())?.endedAt).toEqual(now)
    expect(await store.setDisabled('ada', null)).toBe(true)
    expect((await prisma.person.findFirst())?.disabledAt).toBeNull()
  })
})
