import { randomBytes } from 'node:crypto'
import { registrationPrefix } from '#lib/console/tokens/registration-token'
import { sha256 } from '#lib/crypto/hash'
import { makePrefixedToken } from '#lib/crypto/prefixed-token'
import { openDatabase } from '#lib/db/engine/client'

/** Makes a person a developer of a team, and returns an initial access token of this person for one app. */
export async function makeInitialAccessToken(databaseUrl: string, teamId: string, username: string): Promise<string> {
  const database = await openDatabase(databaseUrl)
  try {
    const { prisma } = database
    const { id: personId } = await prisma.person.findFirstOrThrow({ where: { username } })
    const token = makePrefixedToken(registrationPrefix, randomBytes)
    const createdAt = new Date()
    const expiresAt = new Date(createdAt.getTime() + 86_400_000)
    const about = { name: 'Client tests', profile: 'oidc', remaining: 1, createdAt, expiresAt }
    await prisma.member.create({ data: { teamId, personId, role: 'developer', createdAt } })
    await prisma.registrationToken.create({
      data: { id: 'client-tests', teamId, personId, hash: sha256(token), ...about },
    })
    return token
  } finally {
    await database.close()
  }
}
