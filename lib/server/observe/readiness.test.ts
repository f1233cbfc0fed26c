import { expect, it, onTestFinished } from 'vitest'
import { keyStore } from '#lib/db/keys/key-store'
import { openSigningKeys } from '#lib/keys/signing-keys'
import { kinds } from '#lib/testing/databases/databases'
import { openPostern } from '#lib/testing/process/postern'
import { makeReadiness } from './readiness.ts'

const closed = 'the signing keys do not open'

/** Opens a Postern whose loads of signing keys are counted. */
async function setUp(kind: (typeof kinds)[number]) {
  const postern = await openPostern({ kind })
  onTestFinished(postern.close)
  const { database, secrets, now } = postern.context
  const { prisma } = database
  const store = keyStore(prisma)
  let loads = 0
  const listKeys: typeof store.listKeys = (time) => {
    loads++
    return store.listKeys(time)
  }
  const keys = await openSigningKeys({ store: { ...store, listKeys }, secrets, now }, undefined)
  loads = 0
  /** Looks every second, each time without the cached result of the last look. */
  const look = async (times: number) => {
    const seen: (string | undefined)[] = []
    for (let at = 0; at < times; at++) {
      postern.later(1)
      seen.push(await makeReadiness(database, keys)())
    }
    return seen
  }
  return { prisma, keys, look, loads: () => loads }
}

it.each(kinds)('reports at every look that the signing keys do not open, until they do, on %s', async (kind) => {
  const { prisma, keys, look, loads } = await setUp(kind)
  const [first] = await prisma.signingKey.findMany()
  const { kid = '', sealedPrivate = '' } = first ?? {}
  await prisma.signingKey.updateMany({ where: { kid }, data: { sealedPrivate: 'sealed with another key' } })
  expect((await look(15)).slice(4)).toEqual(Array(11).fill(closed))
  expect(loads()).toBe(3)
  await expect(keys.sign('JWT', {})).rejects.toThrow('SECRET_KEY does not open')
  await prisma.signingKey.updateMany({ where: { kid }, data: { sealedPrivate } })
  expect((await look(5)).at(-1)).toBeUndefined()
  expect(await keys.sign('JWT', {})).toMatch(/^ey/)
})

it.each(kinds)('loads the signing keys again at the next look after a load that failed, on %s', async (kind) => {
  const { prisma, look } = await setUp(kind)
  await prisma.$executeRawUnsafe('ALTER TABLE "SigningKey" RENAME TO "Away"')
  expect((await look(9)).slice(4)).toEqual(Array(5).fill(closed))
  await prisma.$executeRawUnsafe('ALTER TABLE "Away" RENAME TO "SigningKey"')
  expect(await look(1)).toEqual([undefined])
})
