import { isVerified, shownApp, shownHomepage, shownTeam } from '#lib/db/apps/shown-app'
import type { Prisma } from '#lib/db/engine/client'
import type { Client } from '#lib/oauth/client/client'

/** Finds a registered app that is not disabled, with all columns that the protocol reads. */
export async function findClient(prisma: Prisma, id: string): Promise<Client | undefined> {
  const app = await prisma.app.findUnique({ where: { id }, include: { team: shownTeam, secrets: true, keys: true } })
  if (!app || app.disabledAt) return undefined
  return {
    id: app.id,
    teamId: app.teamId,
    teamName: app.team.name,
    team: { isVerified: isVerified(app.team), domains: app.team.domains.map(({ domain }) => domain) },
    ...shownApp(app, app.team),
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
    homepage: shownHomepage(app.homepage, app.team),
    policyUri: app.policyUri,
    tosUri: app.tosUri,
    registration: JSON.parse(app.registration),
  }
}
