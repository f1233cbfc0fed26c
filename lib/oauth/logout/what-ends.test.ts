import { beforeEach, describe, expect, it } from 'vitest'
import { makePeopleStore } from '#lib/db/account/people-store'
import { sweeps } from '#lib/db/jobs/sweep-store'
import type { Context } from '#lib/server/compose/context'
import { sweep } from '#lib/server/jobs/sweep'
import { recordedAt } from '#lib/testing/admin/recorded-at'
import { kinds } from '#lib/testing/databases/databases'
import { shareLogouts } from '#lib/testing/oauth/share-logouts'
import { basicAuth, secret } from '#lib/testing/process/postern'

describe.each(kinds)('logout tokens on %s', (kind) => {
  const { shared, exchange, rows, arrivals, signIn, end } = shareLogouts(kind)

  describe('are queued when', () => {
    beforeEach(() => {
      shared.receiver.status = 503
    })
    type Session = Awaited<ReturnType<typeof signIn>>
    const ways: Record<string, (session: Session, context: Context) => Promise<unknown>> = {
      'the person signs out': ({ id }, { signIn: store, now }) => store.endSession(id, now()),
      'the session is ended elsewhere': ({ personId, publicId }, { sessions, now }) =>
        sessions.end(personId, [publicId], now()),
      'the person signs out everywhere else': ({ personId }, { sessions, now }) =>
        sessions.endOthers(personId, 'session-of-another-browser', now()),
      'the access of all apps is revoked': ({ personId }, { sessions, now }) => sessions.revokeApps(personId, now()),
      'a new password after a recovery ends sessions': ({ personId }, { recoveries, now, database }) =>
        resetPassword({ personId, recoveries, now, database }),
      'the deletion of the account begins': ({ personId }, { deletions, now }) =>
        deletions
          .ask(personId, { keepSession: '', now: now(), deleteAfter: now() })
          .then(() => deletions.keep(personId, new Date(0))),
      'an operator deletes the account': ({ personId }, { deletions, now }) =>
        deletions.askNow(personId, recordedAt(now())),
      'the person is disabled': async (_, { database, now }) =>
        makePeopleStore(database.prisma).setDisabled('ada', true, recordedAt(now())),
    }
    /**
     * The stores of a server start a delivery themselves. A command only queues it, and the background job of a server
     * sends it.
     */
    const byCommand = ['the person is disabled']

    it.each(Object.keys(ways))('%s, and sent without a background job', async (way) => {
      const session = await signIn(['one', 'two', 'silent'])
      await ways[way]?.(session, shared.postern.context)
      expect((await rows()).filter((row) => row.endsWith(` ${session.id}`))).toEqual([
        `one ${session.id}`,
        `two ${session.id}`,
      ])
      await arrivals(byCommand.includes(way) ? 0 : 2)
      const ada = { deleteAfter: null, disabledAt: null }
      await shared.postern.context.database.prisma.person.updateMany({ data: ada })
    })

    it('a person with more sessions than a statement has room for is disabled', async () => {
      const { id, personId } = await signIn(['one'])
      const { prisma } = shared.postern.context.database
      await copySession(prisma, id, 33_000)
      expect(await makePeopleStore(prisma).setDisabled('ada', true, recordedAt(shared.postern.clock.now))).toBe(true)
      expect(await rows()).toEqual([`one ${id}`])
      expect(await prisma.session.count({ where: { personId, endedAt: null } })).toBe(0)
      await prisma.person.updateMany({ data: { disabledAt: null } })
    })

    it.each(['HTTP:', 'Http:'])('the app has registered an address that begins with %s', async (scheme) => {
      const { prisma } = shared.postern.context.database
      const where = { id: 'two' }
      const { registration } = await prisma.app.findUniqueOrThrow({ where })
      await prisma.app.update({ where, data: { registration: registration.replace('http:', scheme) } })
      const { id } = await signIn(['two'])
      await end(id)
      expect(await rows()).toEqual([`two ${id}`])
      await prisma.app.update({ where, data: { registration } })
    })

    it('the app has an address, and not after the address was removed', async () => {
      const { prisma } = shared.postern.context.database
      const where = { id: 'two' }
      const { registration } = await prisma.app.findUniqueOrThrow({ where })
      const removed = JSON.stringify({ ...JSON.parse(registration), backchannel_logout_uri: '' })
      const { id } = await signIn(['one', 'two'])
      await prisma.app.update({ where, data: { registration: removed } })
      await end(id)
      expect(await rows()).toEqual([`one ${id}`])
      await prisma.app.update({ where, data: { registration } })
    })

    it('the access of one app is withdrawn: for that app in every session', async () => {
      const sessions = [await signIn(['one', 'two']), await signIn(['one'])]
      const [{ personId = '' } = {}] = sessions
      await shared.postern.context.consents.withdrawConsent(personId, 'one', shared.postern.clock.now)
      const own = (await rows()).filter((row) => sessions.some(({ id }) => row.endsWith(` ${id}`)))
      expect(own).toEqual(sessions.map(({ id }) => `one ${id}`).sort())
      await arrivals(2)
    })
  })

  describe('leave nothing behind: an approval during the sign-out', () => {
    const approve = (sessionId: string) => shared.postern.approve({ clientId: 'one', sessionId })
    const outdated = 'This request ended otherwise: outdated.'
    const livesIn = (sessionId: string) =>
      shared.postern.context.database.prisma.authorization.count({ where: { sessionId, revokedAt: null } })

    it('gets no code after the session has ended', async () => {
      const { id } = await signIn([])
      await end(id)
      await expect(approve(id)).rejects.toThrow(outdated)
      expect(await livesIn(id)).toBe(0)
    })

    it('waits for a sign-out that is not committed yet, and then gets no code', async () => {
      const { id } = await signIn([])
      // Stores subject and consent first, so that only the later approval waits for the lock.
      await approve('another-session')
      const { prisma } = shared.postern.context.database
      let late = Promise.resolve('')
      await prisma.$transaction(async (tx) => {
        await tx.session.update({ where: { id }, data: { endedAt: shared.postern.clock.now } })
        late = approve(id).catch((fault: Error) => fault.message)
        if (kind === 'postgresql') await expect.poll(() => waitsForLock(prisma)).toBe(true)
      })
      expect(await late).toBe(outdated)
    })

    it('is revoked, or refused, when eight approvals and the sign-out run at once', async () => {
      const { id } = await signIn([])
      const approvals = Array.from({ length: 8 }, () => approve(id))
      await Promise.all([Promise.allSettled(approvals.slice(0, 4)), end(id), Promise.allSettled(approvals.slice(4))])
      expect(await livesIn(id)).toBe(0)
    })
  })

  describe('are not queued when a session merely expires (docs/decisions/0043)', () => {
    const days = (count: number) => shared.postern.later(count * 86_400)

    it('neither at the end of its life nor when its row is swept; a sign-out elsewhere until then counts', async () => {
      const { prisma } = shared.postern.context.database
      const [first, second] = [await signIn(['one']), await signIn(['one'])]
      days(20)
      const { signIn: store, now } = shared.postern.context
      expect(await store.findSession(first.id, now())).toBeUndefined()
      expect(await rows()).toEqual([])
      await shared.postern.context.sessions.end(first.personId, [first.publicId], now())
      expect(await rows()).toEqual([`one ${first.id}`])
      days(20)
      await sweep(sweeps(shared.postern.context.database), now(), () => undefined)
      expect(await prisma.session.count({ where: { id: second.id } })).toBe(0)
      expect((await rows()).filter((row) => row.endsWith(second.id))).toEqual([])
    })

    it('but refresh tokens that end with a session, and their rows, end with the longest life of a session', async () => {
      const { id } = await signIn(['one', 'local'])
      const approvals = await shared.postern.context.database.prisma.authorization.findMany({
        where: { sessionId: id },
        orderBy: { appId: 'desc' },
      })
      const daysOf = ({ codeSpentAt, refreshUntil, keepUntil }: (typeof approvals)[number]) =>
        [refreshUntil, keepUntil].map((end) => Math.floor((Number(end) - Number(codeSpentAt)) / 86_400_000))
      expect(approvals.map((one) => [one.appId, ...daysOf(one)])).toEqual([
        ['one', 180, 180],
        ['local', 30, 30],
      ])
    })
  })

  describe('come with the end of', () => {
    const refresh = (clientId: string, refresh_token = '') =>
      shared.postern.token({ grant_type: 'refresh_token', refresh_token }, basicAuth(clientId, secret))

    it('refresh tokens whose consent is asked at each sign-in, and of no others', async () => {
      const { id, tokens } = await signIn(['one', 'local'])
      await end(id)
      expect((await refresh('one', tokens[0]?.refresh_token)).status).toBe(200)
      const refused = await refresh('local', tokens[1]?.refresh_token)
      expect(await refused.json()).toMatchObject({ error: 'invalid_grant' })
    })

    it('a code that was not exchanged', async () => {
      const { id } = await signIn([])
      const code = await shared.postern.approve({ clientId: 'one', sessionId: id })
      await end(id)
      expect(await (await exchange('one', code)).json()).toMatchObject({ error: 'invalid_grant' })
      expect(await rows()).toEqual([])
    })

    it('no code that expired before: it gives no access, and there may be very many', async () => {
      const { id } = await signIn([])
      const { database, now } = shared.postern.context
      const requestId = 'x'.repeat(22)
      await shared.postern.approve({ clientId: 'one', sessionId: id, requestId })
      const [where, codeExpiresAt] = [{ requestId }, new Date(now().getTime() - 120_000)]
      await database.prisma.authorization.update({ where, data: { codeExpiresAt } })
      await end(id)
      expect(await database.prisma.authorization.findUnique({ where })).toMatchObject({ revokedAt: null })
    })
  })
})

/** Copies a session many times by one statement. */
const copySession = (prisma: Context['database']['prisma'], id: string, times: number) =>
  prisma.$executeRaw`INSERT INTO "Session" (id, "publicId", "personId", amr, "createdAt", "authenticatedAt",
    "lastSeenAt", "expiresAt", address, device)
    WITH RECURSIVE copy(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM copy WHERE i < ${times})
    SELECT 'copy-' || i, 'copy-' || i, "personId", amr, "createdAt", "authenticatedAt", "lastSeenAt", "expiresAt",
    address, device FROM copy, "Session" WHERE id = ${id}`

/** Returns whether a statement on this database waits for the lock of another one. */
async function waitsForLock(prisma: Context['database']['prisma']): Promise<boolean> {
  const waiting = await prisma.$queryRaw<unknown[]>`SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`
  return waiting.length > 0
}

async function resetPassword(parts: Pick<Context, 'recoveries' | 'now' | 'database'> & { personId: string }) {
  const { personId, recoveries, now, database } = parts
  const { passwordHash } = await database.prisma.person.findUniqueOrThrow({ where: { id: personId } })
  const before = passwordHash ?? undefined
  const choices = { secondFactor: false, signOut: true, revoke: false }
  expect(await recoveries.resetPassword({ personId, before, hash: 'hash', now: now(), ...choices })).toBeDefined()
}
