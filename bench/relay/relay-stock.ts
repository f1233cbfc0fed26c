import { randomBytes } from 'node:crypto'
import { openDatabase, type Prisma } from '#lib/db/engine/client'
import { makeAliasName } from '#lib/relay/recipient/local-part'

// Enough that no hourly limit is reached: 200 messages for an address, 20,000 for an app.
const apps = 20
const people = 100

/**
 * Creates people who hide their address from every app. Writes the rows that a consent creates directly to the
 * running server's database.
 */
export async function addRelayAddresses(databaseUrl: string): Promise<string[]> {
  const database = await openDatabase(databaseUrl)
  try {
    const createdAt = new Date()
    const appIds = await addApps(database.prisma, createdAt)
    const personIds = await addPeople(database.prisma, createdAt)
    const pairs = personIds.flatMap((personId) => appIds.map((appId) => ({ personId, appId })))
    const agreed = {
      granted: 'openid name email',
      declined: '',
      emailChoice: 'hidden',
      createdAt,
      updatedAt: createdAt,
    }
    await database.prisma.consent.createMany({ data: pairs.map((pair) => ({ ...pair, ...agreed })) })
    const aliases = pairs.map((pair) => ({ ...pair, address: makeAliasName(randomBytes), createdAt }))
    await database.prisma.alias.createMany({ data: aliases })
    return aliases.map(({ address }) => address)
  } finally {
    await database.close()
  }
}

async function addApps(prisma: Prisma, createdAt: Date): Promise<string[]> {
  const created = { createdAt, updatedAt: createdAt }
  await prisma.team.create({ data: { id: 'bench', name: 'Bench', ...created } })
  const about = { name: 'Bench', kind: 'public', profile: 'standard', homepage: '', policyUri: '', tosUri: '' }
  const may = { redirectUris: '[]', scopes: 'openid name email', requiredScopes: 'openid', email: 'optional' }
  const ids = Array.from({ length: apps }, (_, index) => `bench-app-${index}`)
  await prisma.app.createMany({ data: ids.map((id) => ({ id, teamId: 'bench', ...about, ...may, ...created })) })
  return ids
}

async function addPeople(prisma: Prisma, createdAt: Date): Promise<string[]> {
  const profile = { nickname: '', biography: '', gender: '', birthdate: '', region: '', locale: 'en' }
  const rows = Array.from({ length: people }, (_, index) => ({
    id: randomBytes(16).toString('base64url'),
    username: `bench-${index}`,
    email: `bench-${index}@example.org`,
    name: `Person ${index}`,
    ...profile,
    profileUpdatedAt: createdAt,
    createdAt,
  }))
  await prisma.person.createMany({ data: rows })
  return rows.map(({ id }) => id)
}
