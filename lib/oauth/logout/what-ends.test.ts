import { beforeEach, describe, expect, it } from 'vitest'
import { makePeopleStore } from '#lib/db/account/people-store'
import type { Context } from '#lib/server/compose/context'
import { shareLogouts } from '#lib/testing/oauth/share-logouts'
import { kinds } from '#lib/testing/process/databases'
import { basicAuth, secret } from '#lib/testing/process/postern'

describe.each(kinds)('logout tokens on %s', (kind) => {
  const { shared, exchange, rows, signIn, end } = shareLogouts(kind)

  describe('are queued when', () => {
    beforeEach(() => {
      shared.receiver.status = 503
    })
    type Session = Awaited<ReturnType<typeof signIn>>
    const ways: Record<string, (session: Session, context: Context) => Promise<unknown>> = {
      'the person signs out': ({ id }, { signIn: store, now }) => store.endSession(id, now()),
      'the session is ended elsewhere': ({ personId, publicId }, { sessions, now }) =>
        sessions.end(personId, publicId, now()),
      'the person signs out everywhere else': ({ personId }, { sessions, now }) =>
        sessions.endOthers(personId, 'session-of-another-browser', now()),
      'the access of all apps is revoked': ({ personId }, { sessions, now }) => sessions.revokeApps(personId, now()),
      'a new password after a recovery ends sessions': ({ personId }, { recoveries, now, database }) =>
        resetPassword({ personId, recoveries, now, database }),
      'the deletion of the account begins': ({ personId }, { deletions, now }) =>
        deletions
          .ask(personId, { keepSession: '', now: now(), deleteAfter: now() })
          .then(() => deletions.keep(personId, new Date(0))),
      'an operator deletes the account': ({ personId }, { deletions, now }) => deletions.askNow(personId, now()),
      'the person is disabled': async (_, { database, now }) =>
        makePeopleStore(database.prisma).setDisabled('ada', now()),
    }
    it.each(Object.keys(ways))('%s', async (way) => {
      const session = await signIn(['one', 'two', 'silent'])
      await ways[way]?.(session, shared.postern.context)
      expect((await rows()).filter((row) => row.endsWith(` ${session.id}`))).toEqual([
        `one ${session.id}`,
        `two ${session.id}`,
      ])
      const ada = { deleteAfter: null, disabledAt: null }
      await shared.postern.context.database.prisma.person.updateMany({ data: ada })
    })

    it('the access of one app is withdrawn: for that app in every session', async () => {
      const sessions = [await signIn(['one', 'two']), await signIn(['one'])]
      const [{ personId = '' } = {}] = sessions
      await shared.postern.context.consents.withdrawConsent(personId, 'one', shared.postern.clock.now)
      const own = (await rows()).filter((row) => sessions.some(({ id }) => row.endsWith(` ${id}`)))
      expect(own).toEqual(sessions.map(({ id }) => `one ${id}`).sort())
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
  })
})

async function resetPassword(parts: Pick<Context, 'recoveries' | 'now' | 'database'> & { personId: string }) {
  const { personId, recoveries, now, database } = parts
  const { passwordHash } = await database.prisma.person.findUniqueOrThrow({ where: { id: personId } })
  const before = passwordHash ?? undefined
  const choices = { secondFactor: false, signOut: true, revoke: false }
  expect(await recoveries.resetPassword({ personId, before, hash: 'hash', now: now(), ...choices })).toBeDefined()
}
