import type { Prisma } from '#lib/db/engine/client'
import type { Client } from '#lib/oauth/client/client'

/** Finds a registered app that is not disabled, with all columns that the protocol reads. */
export async function findClient(prisma: Prisma, id: string): Promise<Client | undefined> {
  const app = await prisma.app.findUnique({ where: { id }, include: { team: true, secrets: true, keys: true } })
  if (!app || app.disabledAt) return undefined
  return {
    id: app.id,
    teamId: app.teamId,
    teamName: app.team.name,
    name: app.name,
    kind: app.kind as Client['kind'],
    profile: app.profile as Client['profile'],
    redirectUris: JSON.parse(app.redirectUris),
    scopes: app.scopes.split(' '),
    requiredScopes: app.requiredScopes.split(' '),
    email: app.email as Client['email'],
    secrets: app.secrets.map((secret) => ({
      id: secret.id,
      hash: secret.hash,
      expiresAt: secret.expiresAt ?? undefined,
    })),
    keys: app.keys.map(({ kid, jwk }) => ({ kid, jwk: JSON.parse(jwk) })),
    logoFile: app.logoFile ?? undefined,
    homepage: app.homepage,
    policyUri: app.policyUri,
    tosUri: app.tosUri,
    registration: JSON.parse(app.registration),
  }
}
