import type { DeclaredApp } from '#lib/apps/app-rules'
import type { AppWrite, TeamApp, TeamAppStore } from '#lib/console/app/store'
import type { Act } from '#lib/console/audit/act'
import { appLogo } from '#lib/db/apps/app-logo'
import { isUniqueConflict, type Prisma } from '#lib/db/engine/client'
import type { Prisma as Generated } from '#lib/db/generated/sqlite/client'
import { planApps } from '#lib/db/provision/provision-apps'
import type { CredentialRules, Plan, Tools } from '#lib/db/provision/provision-plan'
import { noteSelfRegistration, TokenSpent } from '#lib/db/registration/registration-store'
import { writeAct } from './act-store.ts'
import { changesOf } from './app-changes.ts'
import { appCredentials } from './app-credentials.ts'
import { appState } from './app-state.ts'

type Transaction = Generated.TransactionClient

/** Edits apps by the plans of `cli apply`, one app at a time. */
export const teamAppStore = (
  prisma: Prisma,
  { random, credentials }: { random(bytes: number): Buffer; credentials: CredentialRules },
): TeamAppStore => {
  const toolsAt = (now: Date): Tools => ({ now, random, credentials, passwordHashes: new Map() })
  return {
    async find(id) {
      const row = await prisma.app.findUnique({ where: { id }, include: withCredentials })
      return row ? asTeamApp(row) : undefined
    },
    register: (app, most, act, self) =>
      unlessTaken(() =>
        prisma.$transaction(async (tx) => {
          // Locks the team, so that concurrent calls never exceed the limit, and that the operator does not close it now.
          const team = { id: app.teamId, closedAt: null }
          const { count } = await tx.team.updateMany({ where: team, data: { updatedAt: act.at } })
          if (count === 0) return { result: 'closed' }
          if ((await tx.app.count({ where: { teamId: app.teamId } })) >= most) return { result: 'enough' }
          if ((await tx.app.count({ where: { id: app.clientId } })) > 0) return { result: 'taken' }
          const written = await write(tx, app, toolsAt(act.at), act)
          if (self && written.result === 'written') await noteSelfRegistration(tx, app.clientId, self, act.at)
          return written
        }),
      ),
    ...appState(prisma),
    ...appLogo(prisma),
    ...appCredentials(prisma, credentials.mostLiveSecrets),
    update: (app, version, act) =>
      prisma.$transaction(async (tx) => {
        // The compare-and-set locks the app's row, so that a concurrent editor finds another version.
        const same = { id: app.clientId, teamId: app.teamId, updatedAt: new Date(version) }
        const updatedAt = laterThan(version, act.at)
        const { count } = await tx.app.updateMany({ where: same, data: { updatedAt } })
        if (count === 0) return { result: (await tx.app.count({ where: { id: same.id } })) === 0 ? 'unknown' : 'stale' }
        return write(tx, app, toolsAt(updatedAt), act)
      }),
  }
}

/** Two changes in one millisecond must have two versions. */
const laterThan = (version: string, now: Date) => new Date(Math.max(now.getTime(), new Date(version).getTime() + 1))

async function write(tx: Transaction, app: DeclaredApp, tools: Tools, act: Act): Promise<AppWrite> {
  const plan = await planApps(tx, [app], new Map(), tools)
  if (plan.problems.length > 0) return { result: 'refused', problems: plan.problems }
  const secrets = new Map<string, string>()
  for (const step of plan.steps) await step.write(tx, secrets)
  if (plan.steps.length > 0) {
    const { before, after } = changesOf(plan)
    const made = await madeSecret(tx, app.clientId, plan)
    await writeAct(tx, app.teamId, { ...act, target: app.clientId, before, after: { ...after, ...made } })
  }
  return { result: 'written', secret: secrets.get(app.clientId) }
}

/** Returns the id of the secret that a plan made for an app that had none. */
async function madeSecret(tx: Transaction, appId: string, { steps }: Plan): Promise<{ secret?: string }> {
  if (!steps.some(({ change }) => change.kind === 'secret')) return {}
  const [made] = await tx.appSecret.findMany({ where: { appId }, orderBy: { createdAt: 'desc' }, take: 1 })
  return made ? { secret: made.id } : {}
}

async function unlessTaken(write: () => Promise<AppWrite>): Promise<AppWrite> {
  try {
    return await write()
  } catch (fault) {
    if (fault instanceof TokenSpent) return { result: 'spent' }
    if (isUniqueConflict(fault)) return { result: 'taken' }
    throw fault
  }
}

const withCredentials = {
  secrets: { orderBy: { createdAt: 'asc' } },
  keys: { orderBy: { createdAt: 'asc' } },
} satisfies Generated.AppInclude

type Row = Generated.AppGetPayload<{ include: typeof withCredentials }>

function asTeamApp({ secrets, keys, updatedAt, ...row }: Row): TeamApp {
  const { id, teamId, name, kind, profile, logoFile, createdAt, disabledAt, disabledBy, removeAfter } = row
  return {
    ...{ id, teamId, name, kind, profile, logoFile, createdAt, disabledAt, disabledBy, removeAfter },
    scopes: row.scopes.split(' '),
    waitingScopes: waitingOf(row),
    version: updatedAt.toISOString(),
    secrets: secrets.map(({ id: secretId, ...secret }) => ({
      id: secretId,
      createdAt: secret.createdAt,
      expiresAt: secret.expiresAt,
      lastUsedAt: secret.lastUsedAt,
    })),
    keys: keys.map((key) => ({ kid: key.kid, jwk: key.jwk, createdAt: key.createdAt, lastUsedAt: key.lastUsedAt })),
    declaration: declarationOf(row, keys),
  }
}

const waitingOf = ({ waitingScopes }: Pick<Row, 'waitingScopes'>): string[] => waitingScopes.split(' ').filter(Boolean)

/** Scopes that every app, or one that requires the address, cannot do without; a file does not list them. */
const isImplied = (scope: string, email: string) => scope === 'openid' || (scope === 'email' && email === 'required')

/** Returns the fields of the file, by their names there. */
function declarationOf(row: Omit<Row, 'secrets' | 'keys' | 'updatedAt'>, keys: Row['keys']): Record<string, unknown> {
  const registration = JSON.parse(row.registration) as Record<string, unknown>
  // RFC 7591 §2 forbids jwks beside jwks_uri; a declaration without jwks leaves the registered keys as they are.
  const jwks = keys.length > 0 && !registration.jwks_uri && { keys: keys.map(({ jwk }) => JSON.parse(jwk)) }
  return {
    client_id: row.id,
    name: row.name,
    kind: row.kind,
    profile: row.profile,
    redirect_uris: JSON.parse(row.redirectUris),
    scopes: [...row.scopes.split(' '), ...waitingOf(row)],
    required_scopes: row.requiredScopes.split(' ').filter((scope) => !isImplied(scope, row.email)),
    email: row.email,
    homepage: row.homepage,
    policy_uri: row.policyUri,
    tos_uri: row.tosUri,
    ...registration,
    ...(jwks && { jwks }),
  }
}
