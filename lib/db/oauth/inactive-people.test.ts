import { expect, it } from 'vitest'
import type { Database } from '#lib/db/engine/client'
import { statementsOf } from '#lib/db/engine/statements'
import { onBothDatabases } from '#lib/testing/databases/databases'
import { ada, apply, fileOf, web } from '#lib/testing/databases/provision'
import { authorizationStore } from './authorization-store.ts'
import { tokenStore } from './token-store.ts'

const now = new Date('2026-01-01T00:00:00Z')
const later = new Date('2026-01-02T00:00:00Z')

/** Stores a person, an app and an authorization. */
async function storeAuthorization(database: Database) {
  await apply(database, fileOf([web], [ada]))
  const { id: personId } = await database.prisma.person.findUniqueOrThrow({ where: { username: ada.username } })
  const texts = { sub: 's', emailChoice: 'none', redirectUri: '', acr: '1', amr: 'pwd', salt: '', sessionId: 's' }
  const times = { authTime: now, codeExpiresAt: later, codeSpentAt: now, createdAt: now, keepUntil: later }
  const refresh = { refreshHash: 'hash', rotations: 0, refreshIdleUntil: later, refreshUntil: later }
  const keys = { id: 'id', requestId: 'request', codeHash: 'code', appId: web.client_id, personId }
  await database.prisma.authorization.create({
    data: { ...keys, ...texts, ...times, ...refresh, scopes: 'openid', authTimeWanted: false },
  })
}

/** Returns, for each statement, whether it reports the authorization as active. */
async function isActiveFor(database: Database) {
  const statements = statementsOf(database)
  const [authorizations, tokens] = [authorizationStore(statements), tokenStore(statements)]
  const refreshed = await authorizations.findForRefresh({ id: 'id', hash: 'hash', now, retrySeconds: 30 })
  return {
    exchange: (await authorizations.findByRequest('request'))?.active,
    oldExchange: (await authorizations.findByCode('code'))?.active,
    revocation: (await authorizations.findAuthorization('id'))?.active,
    refresh: refreshed?.authorization.active,
    userinfo: (await tokens.findGrant('id', 'jti')) !== undefined,
    introspection: (await tokens.findTokenState('id', 'jti')) !== undefined,
  }
}

const forAll = (isActive: boolean) => ({
  ...{ exchange: isActive, oldExchange: isActive, revocation: isActive, refresh: isActive },
  ...{ userinfo: isActive, introspection: isActive },
})

onBothDatabases('an authorization', (open) => {
  it.each([
    ['a person who may sign in', { disabledAt: null, deleteAfter: null }, true],
    ['a disabled person', { disabledAt: now, deleteAfter: null }, false],
    ['a person who is being deleted', { disabledAt: null, deleteAfter: later }, false],
    ['a disabled person who is being deleted', { disabledAt: now, deleteAfter: later }, false],
  ])('has one state in all statements for %s, before and after a change', async (_, person, isActive) => {
    const database = await open()
    await storeAuthorization(database)
    const { updateMany } = database.prisma.person
    await updateMany({ data: person })
    expect(await isActiveFor(database)).toEqual(forAll(isActive))
    await updateMany({ data: { disabledAt: isActive ? now : null, deleteAfter: null } })
    expect(await isActiveFor(database)).toEqual(forAll(!isActive))
  })

  it('is inactive in all statements while its app is disabled', async () => {
    const database = await open()
    await storeAuthorization(database)
    const { updateMany } = database.prisma.app
    await updateMany({ data: { disabledAt: now } })
    expect(await isActiveFor(database)).toEqual(forAll(false))
    await updateMany({ data: { disabledAt: null } })
    expect(await isActiveFor(database)).toEqual(forAll(true))
  })

  it('is found by no statement after its person was erased', async () => {
    const database = await open()
    await storeAuthorization(database)
    await database.prisma.person.deleteMany()
    const { userinfo, introspection, ...others } = await isActiveFor(database)
    expect([userinfo, introspection]).toEqual([false, false])
    expect(Object.values(others)).toEqual([undefined, undefined, undefined, undefined])
  })

  it('is active for one person while many others are disabled or being deleted', async () => {
    const database = await open()
    await storeAuthorization(database)
    const texts = { name: '', nickname: '', biography: '', gender: '', birthdate: '', region: '', locale: '' }
    const others = Array.from({ length: 500 }, (_, at) => ({
      ...{ id: `other-${at}`, username: `other-${at}`, profileUpdatedAt: now, createdAt: now, ...texts },
      ...(at % 2 ? { disabledAt: now } : { deleteAfter: now }),
    }))
    await database.prisma.person.createMany({ data: others })
    expect(await isActiveFor(database)).toEqual(forAll(true))
  })
})
