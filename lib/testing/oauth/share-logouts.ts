import { afterAll, beforeAll, beforeEach, expect, vi } from 'vitest'
import { timeoutsFor } from '#lib/db/engine/timeouts'
import { type Context, openContext } from '#lib/server/compose/context'
import { readConfig } from '#lib/server/settings/config'
import type { Kind } from '#lib/testing/databases/databases'
import { acme, basicAuth, callback, openPostern, type Postern, secret, verifier } from '#lib/testing/process/postern'
import { type LogoutReceiver, openLogoutReceiver, signInAt } from './logout-receiver.ts'

type Deletable = { deleteMany(): Promise<unknown> }

/** Shares a Postern with two nodes, apps that receive logout tokens, and their receiver between the tests of a file. */
export function shareLogouts(kind: Kind) {
  const shared = {} as { postern: Postern; other: Context; receiver: LogoutReceiver }
  beforeAll(async () => {
    const receiver = await openLogoutReceiver()
    // The two nodes wait for each other on one SQLite file, and on a busy machine for longer than the usual timeouts.
    const timeouts = timeoutsFor(30_000, 10)
    const postern = await openPostern({ kind, provision: provision(receiver.url), timeouts })
    const ambient = { now: () => postern.clock.now, random: postern.context.random, timeouts }
    Object.assign(shared, { receiver, postern, other: await openContext(readConfig(postern.settings), ambient) })
  })
  afterAll(async () => {
    await shared.other.close()
    await shared.postern.close()
    shared.receiver.close()
  })
  beforeEach(async () => {
    const { prisma } = shared.postern.context.database
    const tables = [prisma.logoutDelivery, prisma.authorization, prisma.session, prisma.failure]
    for (const table of tables) await (table as Deletable).deleteMany()
    Object.assign(shared.receiver, { status: 200, hold: undefined, body: undefined, mostWaiting: 0 })
    shared.receiver.forget()
  })
  const exchange = (clientId: string, code: string) =>
    shared.postern.token(
      { grant_type: 'authorization_code', code, redirect_uri: redirectUriOf(clientId), code_verifier: verifier },
      basicAuth(clientId, secret),
    )
  const waiting = () => shared.postern.context.database.prisma.logoutDelivery
  return {
    shared,
    exchange,
    waiting,
    /** Lists the queued deliveries as "app session". */
    rows: async () => (await waiting().findMany()).map(({ appId, sessionId }) => `${appId} ${sessionId}`).sort(),
    /** Waits until the receiver has this number of requests. */
    arrivals: (count: number) =>
      vi.waitFor(() => expect(shared.receiver.arrived).toHaveLength(count), { timeout: 30_000 }),
    signIn: (apps: string[], more: { of?: string } = {}) =>
      signInAt(shared.postern, apps, { exchange, redirectUriOf, ...more }),
    end: (id: string) => shared.postern.context.signIn.endSession(id, shared.postern.clock.now),
  }
}

const localCallback = 'https://localhost/callback'
const redirectUriOf = (clientId: string) => (clientId === 'local' ? localCallback : callback)

function provision(url: string) {
  const app = {
    kind: 'confidential',
    client_secret: secret,
    redirect_uris: [callback],
    scopes: ['openid', 'name'],
    email: 'none',
  }
  const informed = (client_id: string, more = {}) => ({
    ...app,
    client_id,
    name: client_id,
    backchannel_logout_uri: `${url}/${client_id}`,
    ...more,
  })
  const apps = [
    informed('one'),
    informed('two'),
    informed('classic', { profile: 'oidc' }),
    informed('local', { redirect_uris: [localCallback] }),
    informed('dead', { backchannel_logout_uri: 'http://127.0.0.1:9/' }),
    { ...app, client_id: 'silent', name: 'Silent' },
  ]
  const [acmeTeam, otherTeam] = acme.teams
  return {
    ...acme,
    teams: [
      { ...acmeTeam, apps },
      { ...otherTeam, apps: [informed('foreign')] },
    ],
  }
}
