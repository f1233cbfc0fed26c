import type { Connection, ConnectionStore } from '#lib/account/connected-apps/connection'
import { shownApp, shownHomepage, shownTeam } from '#lib/db/apps/shown-app'
import type { Prisma } from '#lib/db/engine/client'
import { toRecord } from '#lib/db/oauth/consent-store'

/** Reads the apps that a person is connected to. */
export const connectionStore = (prisma: Prisma): ConnectionStore => {
  const find = async (where: { personId: string; appId?: string }): Promise<Connection[]> => {
    const [rows, used] = await Promise.all([
      prisma.consent.findMany({
        where,
        include: { app: { include: { team: shownTeam } } },
        orderBy: { createdAt: 'desc' },
      }),
      prisma.authorization.groupBy({ by: ['appId'], where, _max: { codeSpentAt: true, rotatedAt: true } }),
    ])
    const lastUsed = new Map(used.map(({ appId, _max }) => [appId, latest(_max.codeSpentAt, _max.rotatedAt)]))
    return rows.map(({ app, createdAt, ...row }) => ({
      app: {
        id: app.id,
        ...shownApp(app, app.team),
        team: app.team.name,
        homepage: shownHomepage(app.homepage, app.team),
        disabled: app.disabledAt !== null,
      },
      consent: toRecord(row),
      since: createdAt,
      lastUsed: lastUsed.get(app.id),
    }))
  }
  return {
    listConnections: (personId: string) => find({ personId }),
    findConnection: async (personId: string, appId: string) => (await find({ personId, appId }))[0],
  }
}

const latest = (...times: (Date | null)[]): Date | undefined =>
  times.filter((time) => time !== null).sort((a, b) => b.getTime() - a.getTime())[0]
