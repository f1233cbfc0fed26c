import { expect, it } from 'vitest'
import { deriveKeys } from '#lib/crypto/derived-keys'
import { sealBytes } from '#lib/crypto/seal'
import type { Prisma } from '#lib/db/engine/client'
import { resealAll } from '#lib/keys/reseal'
import { openSigningKeys } from '#lib/keys/signing-keys'
import { upgradesOf } from '#lib/server/jobs/jobs'
import { openStoredTotp, sealStoredTotp } from '#lib/sign-in/authenticator/totp-seal'
import { onBothDatabases } from '#lib/testing/databases/databases'
import { keyStore } from './key-store.ts'
import { sealedRows } from './sealed-rows.ts'

const now = new Date('2026-11-22T10:00:00Z')
const sealer = (...masters: [Buffer, Buffer?]) => ({ secrets: deriveKeys(...masters), now: () => now })
const [old, today, stranger] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer]

const resealIn = (prisma: Prisma, one: ReturnType<typeof sealer>) =>
  resealAll(one.secrets, sealedRows(prisma), { upgrades: upgradesOf(one) })

onBothDatabases('a sealed column', (open) => {
  it('opens with the new master key alone after resealing', async () => {
    const { prisma } = await open()
    const signing = (...masters: [Buffer, Buffer?]) =>
      openSigningKeys({ store: keyStore(prisma), secrets: deriveKeys(...masters), now: () => now }, undefined)
    const before = await (await signing(old)).published()
    const secrets = Object.fromEntries(Array.from({ length: 403 }, (_, i) => [`person-${i}`, `authenticator ${i}`]))
    await addPeople(prisma, secrets, sealStoredTotp)
    await expect(signing(today)).rejects.toThrow('SECRET_KEY does not open')

    await resealIn(prisma, sealer(today, old))

    expect(await (await signing(today)).published()).toEqual(before)
    expect(await openAll(prisma, sealer(today))).toEqual(secrets)
  })

  it('upgrades authenticator secrets without an owner, also without a rotation', async () => {
    const { prisma } = await open()
    await addPeople(prisma, { ada: 'secret of ada', bob: 'secret of bob' }, sealNameless)
    expect(await openAll(prisma, sealer(old))).toEqual({ ada: 'secret of ada', bob: 'secret of bob' })
    const [nameless] = await prisma.totp.findMany()

    await resealIn(prisma, sealer(old))

    expect(await openAll(prisma, sealer(old))).toEqual({ ada: 'secret of ada', bob: 'secret of bob' })
    const [ada, bob] = await prisma.totp.findMany({ orderBy: { personId: 'asc' } })
    expect(openStoredTotp(sealer(old), 'bob', ada?.sealedSecret ?? '')).toBeUndefined()
    expect(ada?.sealedSecret).not.toBe(nameless?.sealedSecret)
    await resealIn(prisma, sealer(old))
    expect((await prisma.totp.findMany({ orderBy: { personId: 'asc' } })).map((row) => row.sealedSecret)).toEqual([
      ada?.sealedSecret,
      bob?.sealedSecret,
    ])
  })

  it('lets the event loop turn while it reads unchanged rows', async () => {
    const { prisma } = await open()
    const secrets = Object.fromEntries(Array.from({ length: 403 }, (_, i) => [`person-${i}`, `authenticator ${i}`]))
    await addPeople(prisma, secrets, sealStoredTotp)
    let turns = 0
    const count = () => {
      turns++
      next = setImmediate(count)
    }
    let next = setImmediate(count)
    await resealIn(prisma, sealer(old))
    clearImmediate(next)
    expect(turns).toBeGreaterThan(2)
  })

  it('stays unchanged without a previous key, and if neither key opens it', async () => {
    const { prisma } = await open()
    await openSigningKeys({ store: keyStore(prisma), secrets: deriveKeys(old), now: () => now }, undefined)
    const seals = async () => (await prisma.signingKey.findMany()).map(({ sealedPrivate }) => sealedPrivate)
    const before = await seals()
    await resealIn(prisma, sealer(today))
    await resealIn(prisma, sealer(today, stranger))
    expect(await seals()).toEqual(before)
  })
})

type Seal = typeof sealStoredTotp

/** Seals in the older form, which does not name its owner. */
const sealNameless: Seal = ({ secrets }, _, secret) => sealBytes(secrets.current('totp-at-rest'), secret)

/** Adds people, each with an authenticator app whose secret is sealed with the old master key. */
async function addPeople(prisma: Prisma, all: Record<string, string>, seal: Seal) {
  const empty = { name: '', nickname: '', biography: '', gender: '', birthdate: '', region: '', locale: 'en' }
  const times = { createdAt: now, profileUpdatedAt: now }
  const people = Object.keys(all).map((id) => ({ id, username: id, ...empty, ...times }))
  await prisma.person.createMany({ data: people })
  const totps = Object.entries(all).map(async ([personId, secret]) => ({
    ...{ personId, lastStep: 0, createdAt: now },
    sealedSecret: await seal(sealer(old), personId, Buffer.from(secret)),
  }))
  await prisma.totp.createMany({ data: await Promise.all(totps) })
}

async function openAll(prisma: Prisma, keys: ReturnType<typeof sealer>) {
  const rows = await prisma.totp.findMany()
  const opened = rows.map(async ({ personId, sealedSecret }) => [
    personId,
    String(openStoredTotp(keys, personId, sealedSecret)),
  ])
  return Object.fromEntries(await Promise.all(opened))
}
