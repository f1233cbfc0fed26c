import type { Act, ActKind, ActStore } from '#lib/console/audit/act'
import type { Prisma } from '#lib/db/engine/client'
import type { Prisma as Generated } from '#lib/db/generated/sqlite/client'
import type { TeamActModel as TeamActRow } from '#lib/db/generated/sqlite/models/TeamAct'

/** Reads the audit trails of teams. */
export const actStore = (prisma: Prisma): ActStore => ({
  async list(teamId, after, most) {
    const rows = await prisma.teamAct.findMany({
      where: { teamId },
      orderBy: [{ at: 'desc' }, { position: 'desc' }, { id: 'desc' }],
      ...(after !== undefined && { cursor: { id: after }, skip: 1 }),
      take: most,
    })
    return rows.map(asAct)
  },
  async lastRefusal(teamId, target, since) {
    const row = await prisma.teamAct.findFirst({
      // The index (teamId, at) bounds the search.
      where: { teamId, at: { gt: since }, act: 'scopes_refused', target },
      orderBy: { at: 'desc' },
    })
    return row ? asAct(row) : undefined
  },
})

const asAct = ({ id, at, actor, tokenName, act, target, targetName, ...values }: TeamActRow): Act => ({
  id,
  at,
  actor,
  ...(tokenName !== '' && { token: tokenName }),
  kind: act as ActKind,
  target,
  targetName,
  before: JSON.parse(values.before) as Act['before'],
  after: JSON.parse(values.after) as Act['after'],
})

/**
 * Writes an act in the transaction of the change that it describes. An act about an app keeps the name of the app, which
 * may change or be deleted later.
 */
export async function writeAct(
  tx: Generated.TransactionClient,
  teamId: string,
  { kind, before, after, targetName, token = '', ...act }: Act,
) {
  const position = await tx.teamAct.count({ where: { teamId, at: act.at } })
  const name = targetName ?? (aboutOthers.has(kind) ? '' : await nameOfApp(tx, act.target))
  const values = { before: JSON.stringify(before), after: JSON.stringify(after) }
  await tx.teamAct.create({
    data: { ...act, teamId, act: kind, tokenName: token, targetName: name, position, ...values },
  })
}

/** The acts whose target is a username, an address, a domain or the name of a token, which could equal a client_id. */
const aboutOthers: ReadonlySet<ActKind> = new Set([
  'member_invited',
  'invitation_withdrawn',
  'member_joined',
  'member_added',
  'role_changed',
  'member_removed',
  'member_left',
  'token_made',
  'token_revoked',
  'registration_token_made',
  'registration_token_revoked',
  'domain_added',
  'domain_proven',
  'domain_missing',
  'domain_lost',
  'domain_removed',
])

async function nameOfApp(tx: Generated.TransactionClient, id: string): Promise<string> {
  const app = id === '' ? null : await tx.app.findUnique({ where: { id }, select: { name: true } })
  return app?.name ?? ''
}
