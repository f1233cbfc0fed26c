import type { OwnAlias, OwnAliasStore } from '#lib/account/hide-my-email/store'
import { shownApp, shownTeam } from '#lib/db/apps/shown-app'
import type { Prisma } from '#lib/db/engine/client'
import type { Prisma as Sql } from '#lib/db/generated/sqlite/client'

/** Lists the relay addresses of a person and switches them off and on (relay §8). */
export const hideMyEmailStore = (prisma: Prisma): OwnAliasStore => {
  const find = async (where: { personId: string; address?: string }): Promise<OwnAlias[]> => {
    const [rows, consents] = await Promise.all([
      prisma.alias.findMany({ where, include: { app: { include: { team: shownTeam } } }, orderBy: [...newestFirst] }),
      prisma.consent.findMany({ where: { personId: where.personId }, select: { appId: true, emailChoice: true } }),
    ])
    const choices = new Map(consents.map(({ appId, emailChoice }) => [appId, emailChoice as OwnAlias['emailChoice']]))
    return rows.map(({ address, app, createdAt, disabledAt, forwarded, blocked, replied, lastMailAt }) => ({
      name: address,
      app: app ? toApp(app) : undefined,
      emailChoice: app ? choices.get(app.id) : undefined,
      since: createdAt,
      disabledAt: disabledAt ?? undefined,
      forwarded,
      blocked,
      replied,
      lastMailAt: lastMailAt ?? undefined,
    }))
  }
  /** One statement, so that only one of two concurrent clicks reports a change. */
  const change = async (where: { personId: string; address: string; disabledAt: object | null }, at: Date | null) =>
    (await prisma.alias.updateMany({ where, data: { disabledAt: at } })).count === 1
  return {
    listAliases: (personId) => find({ personId }),
    findOwnAlias: async (personId, address) => (await find({ personId, address }))[0],
    switchOff: (personId, address, now) => change({ personId, address, disabledAt: null }, now),
    switchOn: (personId, address) => change({ personId, address, disabledAt: { not: null } }, null),
  }
}

type AppRow = Sql.AppGetPayload<{ include: { team: typeof shownTeam } }>
const toApp = (app: AppRow): OwnAlias['app'] => ({
  id: app.id,
  ...shownApp(app, app.team),
  team: app.team.name,
  disabled: app.disabledAt !== null,
})

const newestFirst = [{ createdAt: 'desc' }, { address: 'asc' }] as const
