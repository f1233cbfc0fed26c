import { expect, it } from 'vitest'
import { makePeopleStore } from '#lib/db/account/people-store'
import type { Prisma } from '#lib/db/engine/client'
import { recordedAt } from '#lib/testing/admin/recorded-at'
import { onBothDatabases } from '#lib/testing/databases/databases'

const now = new Date('2026-11-20T10:00:00Z')
const later = new Date('2026-11-21T10:00:00Z')
const noProfile = { nickname: '', biography: '', gender: '', birthdate: '', region: '', locale: '' }

async function seed(prisma: Prisma) {
  await prisma.person.create({
    data: { id: 'p1', username: 'ada', name: 'Ada', ...noProfile, profileUpdatedAt: now, createdAt: now },
  })
}

onBothDatabases('people of the operator', (open) => {
  it('replaces a picture and deletes the old one', async () => {
    const { prisma } = await open()
    await seed(prisma)
    const store = makePeopleStore(prisma)
    const picture = (file: string) => ({ file, mediaType: 'image/png', bytes: new Uint8Array([1]) })
    expect(await store.setPicture('nobody', picture('x.png'), recordedAt(later))).toBe(false)
    expect(await store.setPicture('ada', picture('a.png'), recordedAt(now))).toBe(true)
    expect(await store.setPicture('ada', picture('b.png'), recordedAt(later))).toBe(true)
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
    expect(await store.setDisabled('nobody', true, recordedAt(now))).toBe(false)
    expect(await store.setDisabled('ada', true, recordedAt(now))).toBe(true)
    expect(await store.setDisabled('ada', true, recordedAt(later))).toBe(true)
    expect((await store.list()).map(({ username, disabledAt }) => ({ username, disabledAt }))).toEqual([
      { username: 'ada', disabledAt: now },
    ])
    expect((await prisma.session.findFirst())?.endedAt).toEqual(now)
    expect(await store.setDisabled('ada', false, recordedAt(later))).toBe(true)
    expect((await prisma.person.findFirst())?.disabledAt).toBeNull()
  })
})
