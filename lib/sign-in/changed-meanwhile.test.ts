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

  /** Signs in; `meanwhile` runs between the check of the password and the session. Returns the browser and where it arrives. */
  async function signIn(meanwhile: () => Promise<unknown>) {
    const { context } = postern
    const createSession: typeof context.signIn.createSession = async (session) => {
      await meanwhile()
      return context.signIn.createSession(session)
    }
    const browser = openBrowser({ ...context, signIn: { ...context.signIn, createSession } }, '198.51.100.9')
    return { browser, place: placeOf(await browser.post('/signin/submit', form)) }
  }

  it('begins a session and makes the browser known', async () => {
    const { browser, place } = await signIn(async () => undefined)
    expect(place).toBe('/account')
    expect(await knownBrowserOf(postern.context, browser.cookies(), await findAda())).toBeDefined()
  })

  it('begins none if the other sessions are ended while the password is checked, and asks again', async () => {
    const { personId } = await findAda()
    const { sessions, database } = postern.context
    const before = await database.prisma.session.count()
    const { browser, place } = await signIn(() => sessions.endOthers(personId, undefined, new Date()))
    expect(place).toBe('/signin')
    expect(browser.cookies()).not.toMatch(/session|known/)
    expect(await database.prisma.session.count()).toBe(before)
  })

  it('begins none for a person who is erased while the session is stored', async () => {
    const session = { id: 's', personId: 'nobody', publicId: 'p', amr: ['pwd'], address: '', device: '' }
    const times = { authenticatedAt: new Date(), expiresAt: new Date() }
    expect(await postern.context.signIn.createSession({ ...session, ...times })).toBe(false)
  })

  it('waits for a sign-out elsewhere that is not committed yet, or is seen by it', async () => {
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
})
