import { expect, test } from 'vitest'
import { deriveKeys } from '#lib/keys/master-key'
import { resealAll } from '#lib/keys/reseal'
import { openSealed, sealBytes } from '#lib/keys/seal'
import { openSigningKeys } from '#lib/keys/signing-keys'
import { onBothDatabases } from '#lib/testing/databases'
import { keyStore } from './key-store.ts'
import { sealedRows } from './sealed-rows.ts'

const now = new Date('2026-11-22T10:00:00Z')
const [old, today, stranger] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer]

onBothDatabases('what is stored sealed', (open) => {
  test('opens with the new master key alone, once it was sealed anew', async () => {
    const { prisma } = await open()
    const signing = (...masters: [Buffer, Buffer?]) =>
      openSigningKeys({ store: keyStore(prisma), secrets: deriveKeys(...masters), now: () => now })
    const before = await (await signing(old)).published()
    const secrets = Object.fromEntries(Array.from({ length: 1203 }, (_, i) => [`person-${i}`, `authenticator ${i}`]))
    await addPeople(secrets)
    await expect(signing(today)).rejects.toThrow('SECRET_KEY does not open')

    await resealAll(deriveKeys(today, old), sealedRows(prisma))

    expect(await (await signing(today)).published()).toEqual(before)
    expect(await openAll(deriveKeys(today))).toEqual(secrets)

    async function addPeople(all: Record<string, string>) {
      const empty = { name: '', nickname: '', biography: '', gender: '', birthdate: '', region: '', locale: 'en' }
      const times = { createdAt: now, profileUpdatedAt: now }
      const people = Object.keys(all).map((id) => ({ id, username: id, ...empty, ...times }))
      await prisma.person.createMany({ data: people })
      const key = deriveKeys(old).current('totp-at-rest')
      const totps = Object.entries(all).map(async ([personId, secret]) => ({
        ...{ personId, lastStep: 0, createdAt: now },
        sealedSecret: await sealBytes(key, Buffer.from(secret)),
      }))
      await prisma.totp.createMany({ data: await Promise.all(totps) })
    }
    async function openAll(keys: ReturnType<typeof deriveKeys>) {
      const rows = await prisma.totp.findMany()
      const opened = rows.map(async ({ personId, sealedSecret }) => {
        const bytes = await openSealed(keys.all('totp-at-rest'), sealedSecret)
        return [personId, Buffer.from(bytes ?? []).toString()]
      })
      return Object.fromEntries(await Promise.all(opened))
    }
  })

  test('stays as it is where there is no previous key, and where neither opens it', async () => {
    const { prisma } = await open()
    await openSigningKeys({ store: keyStore(prisma), secrets: deriveKeys(old), now: () => now })
    const seals = async () => (await prisma.signingKey.findMany()).map(({ sealedPrivate }) => sealedPrivate)
    const before = await seals()
    await resealAll(deriveKeys(today), sealedRows(prisma))
    await resealAll(deriveKeys(today, stranger), sealedRows(prisma))
    expect(await seals()).toEqual(before)
  })
})
