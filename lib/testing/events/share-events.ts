import { afterAll, beforeAll, beforeEach, expect, vi } from 'vitest'
import { timeoutsFor } from '#lib/db/engine/timeouts'
import { type Context, openContext } from '#lib/server/compose/context'
import { readConfig } from '#lib/server/settings/config'
import type { Kind } from '#lib/testing/databases/databases'
import { signInAt } from '#lib/testing/oauth/logout-receiver'
import { acme, basicAuth, callback, openPostern, type Postern, secret, verifier } from '#lib/testing/process/postern'
import { type EventReceiver, openEventReceiver } from './event-receiver.ts'

type Deletable = { deleteMany(): Promise<unknown> }

/** The apps that have a receiver of events; the app silent has none. */
const informed = ['one', 'two', 'foreign']

/** Shares a Postern with three nodes, apps with receivers of events, and these receivers between the tests of a file. */
export function shareEvents(kind: Kind) {
  const shared = {} as { postern: Postern; others: Context[]; receiver: EventReceiver }
  beforeAll(async () => {
    const receiver = await openEventReceiver()
    // The nodes wait for each other on one SQLite file, and on a busy machine for longer than the usual timeouts.
    const timeouts = timeoutsFor(30_000, 10)
    const postern = await openPostern({ kind, provision: provision(), timeouts })
    const ambient = { now: () => postern.clock.now, random: postern.context.random, timeouts }
    const others = [1, 2].map(() => openContext(readConfig(postern.settings), ambient))
    Object.assign(shared, { receiver, postern, others: await Promise.all(others) })
  })
  afterAll(async () => {
    for (const node of shared.others) await node.close()
    await shared.postern.close()
    shared.receiver.close()
  })
  beforeEach(async () => {
    const { prisma } = shared.postern.context.database
    const tables = [prisma.securityEvent, prisma.eventReceiver, prisma.logoutDelivery, prisma.consent]
    for (const table of [...tables, prisma.authorization, prisma.session, prisma.teamAct])
      await (table as Deletable).deleteMany()
    await prisma.person.updateMany({ data: { disabledAt: null, deleteAfter: null } })
    shared.receiver.forget()
    for (const appId of informed) await register(appId)
  })
  const act = () => ({
    ...{ id: crypto.randomUUID(), at: shared.postern.clock.now, actor: 'ada', kind: 'receiver_registered' as const },
    ...{ target: '', before: {}, after: {} },
  })
  const register = (appId: string, more: { address?: string; sealedAuthorization?: string } = {}) => {
    const receiver = {
      appId,
      teamId: appId === 'foreign' ? 'other' : 'acme',
      address: `${shared.receiver.url}/${appId}`,
    }
    return shared.postern.context.eventReceivers.set({ ...receiver, sealedAuthorization: '', ...more }, act())
  }
  const exchange = (clientId: string, code: string) =>
    shared.postern.token(
      { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier },
      basicAuth(clientId, secret),
    )
  const events = () => shared.postern.context.database.prisma.securityEvent
  return {
    shared,
    act,
    register,
    events,
    /** Lists the queued and sent events as "app type". */
    queued: async () => (await events().findMany()).map(({ appId, type }) => `${appId} ${type}`).sort(),
    /** Waits until every event has this state. */
    settled: (state = 'delivered') =>
      vi.waitFor(async () => expect(await events().count({ where: { state: { not: state } } })).toBe(0), {
        timeout: 30_000,
      }),
    arrivals: (count: number) =>
      vi.waitFor(() => expect(shared.receiver.arrived.length).toBeGreaterThanOrEqual(count), { timeout: 30_000 }),
    nudge: () => shared.postern.context.deliveries.nudge(),
    signIn: (apps: string[]) => signInAt(shared.postern, apps, { exchange, redirectUriOf: () => callback }),
  }
}

function provision() {
  const app = {
    kind: 'confidential',
    client_secret: secret,
    redirect_uris: [callback],
    scopes: ['openid', 'name', 'email'],
    email: 'optional',
  }
  const named = (client_id: string) => ({ ...app, client_id, name: client_id })
  const [acmeTeam, otherTeam] = acme.teams
  return {
    ...acme,
    teams: [
      { ...acmeTeam, apps: ['one', 'two', 'silent', 'unused'].map(named) },
      { ...otherTeam, apps: [named('foreign')] },
    ],
  }
}
