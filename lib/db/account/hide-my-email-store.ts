import type { OwnAlias, OwnAliasStore } from '#lib/account/hide-my-email/store'
import { shownApp, shownTeam } from '#lib/db/apps/shown-app'
import type { Prisma } from '#lib/db/engine/client'
import { queueEvent } from '#lib/db/events/queue-events'
import type { Prisma as Sql } from '#lib/db/generated/sqlite/client'

/** Lists the relay addresses of a person and switches them off and on (relay §8). */
export const hideMyEmailStore = (prisma: Prisma): OwnAliasStore => {
  const find = async (where: { personId: string; address?: string }): Promise<OwnAlias[]> => {
    const [rows, consents] = await Promise.all([
      prisma.alias.findMany({ where, include: { app: { include: { team: shownTeam } } }, orderBy: [...newestFirst] }),
      prisma.consent.findMany({ where: { personId: where.personId }, select: { appId: true, emailChoice: true } }),
    ])
    const choices = new Map(consents.map(({ appId, emailChoice }) => [appId, emailChoice as OwnAlias['emailChoice']]))
    return rows.map(
      ({ address, app, byHand, label, note, createdAt, disabledAt, forwarded, blocked, replied, lastMailAt }) => ({
        name: address,
        byHand,
        app: app ? toApp(app) : undefined,
        emailChoice: app ? choices.get(app.id) : undefined,
        label,
        note,
        since: createdAt,
        disabledAt: disabledAt ?? undefined,
        forwarded,
        blocked,
        replied,
        lastMailAt: lastMailAt ?? undefined,
      }),
    )
  }
  /** The condition on `disabledAt` lets only one of two concurrent clicks report a change. */
  const change = ({ personId, address, isOn }: Switch, now: Date) =>
    prisma.$transaction(async (tx) => {
      const [changed] = await tx.alias.updateManyAndReturn({
        where: { personId, address, disabledAt: isOn ? { not: null } : null },
        data: { disabledAt: isOn ? null : now },
        select: { appId: true },
      })
      const type = isOn ? 'relay-address-on' : 'relay-address-off'
      if (changed?.appId) await queueEvent(tx, { personId, appId: changed.appId }, { type, claims: {} }, now)
      return changed !== undefined
    })
  return {
    listAliases: (personId) => find({ personId }),
    findOwnAlias: async (personId, address) => (await find({ personId, address }))[0],
    switchOff: (personId, address, now) => change({ personId, address, isOn: false }, now),
    switchOn: (personId, address, now) => change({ personId, address, isOn: true }, now),
    describe: async (personId, address, words) =>
      (await prisma.alias.updateMany({ where: { personId, address }, data: words })).count === 1,
    setNewAppEmail: async (id, newAppEmail) => {
      const where = { id, newAppEmail: { not: newAppEmail } }
      return (await prisma.person.updateMany({ where, data: { newAppEmail } })).count === 1
    },
  }
}

type Switch = { personId: string; address: string; isOn: boolean }
type AppRow = Sql.AppGetPayload<{ include: { team: typeof shownTeam } }>
const toApp = (app: AppRow): OwnAlias['app'] => ({
  id: app.id,
  ...shownApp(app, app.team),
  team: app.team.name,
  disabled: app.disabledAt !== null,
})

const newestFirst = [{ createdAt: 'desc' }, { address: 'asc' }] as const
