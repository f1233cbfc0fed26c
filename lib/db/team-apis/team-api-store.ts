import type { DeclaredApi } from '#lib/apps/api-rules'
import type { Act } from '#lib/console/audit/act'
import type { ApiWrite, TeamApi, TeamApiStore } from '#lib/console/team-apis/store'
import { removeApi } from '#lib/db/apps/api-registry'
import { writeAct } from '#lib/db/console/act-store'
import { isUniqueConflict, type Prisma } from '#lib/db/engine/client'
import type { Prisma as Generated } from '#lib/db/generated/sqlite/client'
import { planApis } from '#lib/db/provision/provision-apis'
import type { CredentialRules, Tools } from '#lib/db/provision/provision-plan'
import { apiChangesOf } from './api-changes.ts'

type Transaction = Generated.TransactionClient
type Parts = { random(bytes: number): Buffer; credentials: CredentialRules }

/** Edits APIs by the plans of `cli apply`, one API at a time. */
export const teamApiStore = (prisma: Prisma, { random, credentials }: Parts): TeamApiStore => {
  const toolsAt = (now: Date): Tools => ({ now, random, credentials, passwordHashes: new Map() })
  return {
    async list(teamId) {
      return (await prisma.api.findMany({ where: { teamId }, orderBy: { identifier: 'asc' } })).map(asApi)
    },
    async find(teamId, identifier) {
      const row = await prisma.api.findUnique({ where: { identifier, teamId } })
      return row ? asApi(row) : undefined
    },
    register: (api, most, act) =>
      unlessTaken(() =>
        prisma.$transaction(async (tx) => {
          await lockTeam(tx, api, act)
          if ((await tx.api.count({ where: { teamId: api.teamId } })) >= most) return { result: 'enough' }
          if ((await tx.api.count({ where: { identifier: api.identifier } })) > 0) return { result: 'taken' }
          return write(tx, api, toolsAt(act.at), act)
        }),
      ),
    update: (api, version, act) =>
      prisma.$transaction(async (tx) => {
        await lockTeam(tx, api, act)
        const row = await tx.api.findUnique({ where: { identifier: api.identifier, teamId: api.teamId } })
        if (!row) return { result: 'unknown' }
        if (row.updatedAt.toISOString() !== version) return { result: 'stale' }
        // Two changes in one millisecond must have two versions.
        const at = new Date(Math.max(act.at.getTime(), row.updatedAt.getTime() + 1))
        return write(tx, api, toolsAt(at), act)
      }),
    remove: (teamId, identifier, act) => prisma.$transaction((tx) => removeApi(tx, { identifier, teamId }, act)),
  }
}

/** Locks the team, so that concurrent editors exceed no limit, overwrite no change and share no scope. */
const lockTeam = (tx: Transaction, { teamId: id }: DeclaredApi, act: Act) =>
  tx.team.updateMany({ where: { id }, data: { updatedAt: act.at } })

async function write(tx: Transaction, api: DeclaredApi, tools: Tools, act: Act): Promise<ApiWrite> {
  const plan = await planApis(tx, [api], tools)
  if (plan.problems.length > 0) return { result: 'refused', problems: plan.problems }
  for (const step of plan.steps) await step.write(tx, new Map())
  if (plan.steps.length > 0) await writeAct(tx, api.teamId, { ...act, targetName: api.name, ...apiChangesOf(plan) })
  return { result: 'written' }
}

async function unlessTaken(run: () => Promise<ApiWrite>): Promise<ApiWrite> {
  try {
    return await run()
  } catch (fault) {
    if (isUniqueConflict(fault)) return { result: 'taken' }
    throw fault
  }
}

type Row = Generated.ApiGetPayload<object>

const asApi = ({ signingAlg, updatedAt, identifier, name, createdAt, ...row }: Row): TeamApi => ({
  identifier,
  name,
  scopes: wordsOf(row.scopes),
  waitingScopes: wordsOf(row.waitingScopes),
  sensitiveScopes: wordsOf(row.sensitiveScopes),
  signingAlg: signingAlg as TeamApi['signingAlg'],
  createdAt,
  version: updatedAt.toISOString(),
})

const wordsOf = (text: string): string[] => text.split(' ').filter(Boolean)
