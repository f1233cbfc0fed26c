import { describe, expect, it } from 'vitest'
import { knownBrowserOf } from '#lib/account/sessions/known-browser'
import { openBrowser } from '#lib/testing/browser/browser'
import { flowProvision, placeOf } from '#lib/testing/browser/flow'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'

const form = { username: 'ada', password: 'correct horse battery', to: '/account' }

describe.each(kinds)('a sign-in with a password on %s', (kind) => {
  const postern = sharePostern({ kind, provision: flowProvision })
  const findAda = async () => {
    const ada = await postern.context.signIn.findCredentials('ada', new Date())
    if (!ada) throw new Error('The person is missing.')
    return ada
  }

  /** Signs in, and runs `change` after the password is checked and before the session is stored. Returns the browser and its page. */
  async function signIn(change: () => Promise<unknown>) {
    const { context } = postern
    const createSession: typeof context.signIn.createSession = async (session) => {
      await change()
      return context.signIn.createSession(session)
    }
    const browser = openBrowser({ ...context, signIn: { ...context.signIn, createSession } }, '198.51.100.9')
    return { browser, place: placeOf(await browser.post('/signin/submit', form)) }
  }

  it('stores a session and makes the browser known', async () => {
    const { browser, place } = await signIn(async () => undefined)
    expect(place).toBe('/account')
    expect(await knownBrowserOf(postern.context, browser.cookies(), await findAda())).toBeDefined()
  })

  it('stores no session after a concurrent sign-out of all sessions, and asks for the password again', async () => {
    const { personId } = await findAda()
    const { sessions, database } = postern.context
    const before = await database.prisma.session.count()
    const { browser, place } = await signIn(() => sessions.endOthers(personId, undefined, new Date()))
    expect(place).toBe('/signin')
    expect(browser.cookies()).not.toMatch(/session|known/)
    expect(await database.prisma.session.count()).toBe(before)
  })

  it('stores no session of an erased person', async () => {
    const session = { id: 's', personId: 'nobody', publicId: 'p', amr: ['pwd'], address: '', device: '' }
    const times = { authenticatedAt: new Date(), expiresAt: new Date() }
    expect(await postern.context.signIn.createSession({ ...session, ...times })).toBe(false)
  })

  it('leaves no live session when eight sessions are stored at the same time as all are ended', async () => {
    const { personId, knownVersion } = await findAda()
    const { context } = postern
    const session = { personId, knownVersion, amr: ['pwd'], address: '', device: '' }
    const expiresAt = new Date(Date.now() + 60_000)
    const ids = Array.from({ length: 8 }, (_, at) => `beside-${at}`)
    const stored = ids.map((id) =>
      context.signIn.createSession({ ...session, id, publicId: id, authenticatedAt: new Date(), expiresAt }),
    )
    await Promise.all([...stored, context.sessions.endOthers(personId, undefined, new Date())])
    expect(await context.database.prisma.session.count({ where: { personId, endedAt: null } })).toBe(0)
  })

  it('waits for a transaction that has changed the version, and then stores no session', async () => {
    const { personId, knownVersion } = await findAda()
    const { signIn: store, database } = postern.context
    const session = { id: 'late', publicId: 'late', personId, knownVersion, amr: ['pwd'], address: '', device: '' }
    let result: boolean | undefined
    const waiting = async () => {
      if (database.kind === 'sqlite') return true
      const sql =
        "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'INSERT INTO \"Session\"%'"
      return (await database.pool.query(sql)).rowCount === 1
    }
    const stored = await database.prisma.$transaction(async (tx) => {
      await tx.person.update({ where: { id: personId }, data: { knownVersion: { increment: 1 } } })
      const times = { authenticatedAt: new Date(), expiresAt: new Date(Date.now() + 60_000) }
      const storing = store.createSession({ ...session, ...times }).then((isStored) => {
        result = isStored
      })
      await expect.poll(async () => result !== undefined || (await waiting())).toBe(true)
      return { storing }
    })
    await stored.storing
    expect(result).toBe(false)
  })
})
