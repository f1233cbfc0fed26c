import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { aliasStore } from '#lib/db/account/alias-store'
import type { Database } from '#lib/db/engine/client'
import { statementsOf } from '#lib/db/engine/statements'
import { makeAliasName } from '#lib/relay/recipient/local-part'
import { onBothDatabases } from '#lib/testing/databases/databases'
import { ada, apply, fileOf, web } from '#lib/testing/databases/provision'
import { consentStore } from './consent-store.ts'

const now = new Date('2026-11-20T10:00:00Z')
const appId = 'acme-web'
type Choice = 'regular' | 'hidden' | 'none'
const record = (granted: string[], emailChoice: Choice = 'none', declined: string[] = []) => ({
  granted,
  declined,
  emailChoice,
})
const eight = <T>(run: () => Promise<T>) => Promise.all(Array.from({ length: 8 }, run))

async function setUp(database: Database) {
  const { prisma } = database
  await apply(database, fileOf([web, { ...web, client_id: 'acme-other' }], [ada]))
  const { id: personId } = await prisma.person.findFirstOrThrow()
  const store = consentStore(prisma)
  const authorize = async (id: string, scopes: string, emailChoice: Choice, changed = {}) => {
    const made = {
      sessionId: 's',
      sub: 'sub',
      redirectUri: 'https://acme.example/cb',
      acr: 'aal1',
      amr: 'pwd',
      salt: '',
    }
    const times = { authTime: now, authTimeWanted: false, codeExpiresAt: now, createdAt: now, keepUntil: now }
    const data = {
      id,
      requestId: id,
      appId,
      personId,
      scopes,
      emailChoice,
      codeHash: id,
      ...made,
      ...times,
      ...changed,
    }
    await prisma.authorization.create({ data })
  }
  const rows = async () =>
    (await prisma.authorization.findMany({ orderBy: { id: 'asc' } })).map(
      ({ id, scopes, emailChoice, revokedAt }) => `${id}: ${scopes} (${emailChoice})${revokedAt ? ' revoked' : ''}`,
    )
  const replace = (before: ReturnType<typeof record> | undefined, after: ReturnType<typeof record>) =>
    store.replaceConsent({ personId, appId, before, after, now })
  const aliasesOf = (makeName: () => string) =>
    aliasStore(statementsOf(database), { makeName, addressOf: (name) => `${name}@relay.example.org` })
  return { prisma, store, personId, authorize, rows, replace, aliasesOf }
}

onBothDatabases('a decision', (open) => {
  it('is stored once by eight concurrent calls, and replaced only by a caller that saw it', async () => {
    const { store, personId, replace } = await setUp(await open())
    const first = record(['openid', 'name'])
    expect((await eight(() => replace(undefined, first))).filter(Boolean)).toHaveLength(1)
    expect(await replace(record(['openid']), record(['openid', 'gender']))).toBe(false)
    expect(await store.findConsent(personId, appId)).toEqual(first)
    expect(await replace(first, record(['openid'], 'none', ['name']))).toBe(true)
    expect(await store.findConsent(personId, appId)).toEqual(record(['openid'], 'none', ['name']))
  })

  it('ends every active authorization that holds a removed scope, and no other', async () => {
    const { authorize, rows, replace, prisma } = await setUp(await open())
    const before = record(['openid', 'name', 'nickname', 'email', 'profile'], 'regular')
    await replace(undefined, before)
    await authorize('a', 'openid name nickname email profile', 'regular')
    await authorize('b', 'openid nickname', 'none')
    await authorize('c', 'openid name', 'none')
    await authorize('d', 'openid nickname email', 'regular')
    await authorize('e', 'openid name email', 'regular', { revokedAt: now })
    await authorize('f', 'openid name email', 'regular', { appId: 'acme-other' })
    await authorize('g', 'openid profile', 'none')
    await authorize('h', 'name openid nickname', 'none')
    await authorize('i', 'name', 'none')
    expect(await replace(before, record(['openid', 'nickname', 'email'], 'hidden', ['name']))).toBe(true)
    expect(await rows()).toEqual([
      'a: openid name nickname email profile (regular) revoked',
      'b: openid nickname (none)',
      'c: openid name (none) revoked',
      'd: openid nickname email (hidden)',
      'e: openid name email (regular) revoked',
      'f: openid name email (regular)',
      'g: openid profile (none) revoked',
      'h: name openid nickname (none) revoked',
      'i: name (none) revoked',
    ])
    expect(await prisma.consent.findFirst()).toMatchObject({ granted: 'openid nickname email', declined: 'name' })
  })

  it('tells apart scopes of APIs that differ in one character or in case', async () => {
    const { authorize, rows, replace } = await setUp(await open())
    const before = record(['openid', 'a_b', 'axb', 'A_B'])
    await replace(undefined, before)
    for (const scope of ['a_b', 'axb', 'A_B', 'a_bc']) await authorize(scope, `openid ${scope}`, 'none')
    await authorize('first', 'axb openid', 'none')
    expect(await replace(before, record(['openid', 'axb', 'A_B'], 'none', ['a_b']))).toBe(true)
    expect((await rows()).filter((row) => row.endsWith('revoked'))).toEqual(['a_b: openid a_b (none) revoked'])
  })

  it('changes nothing if it is based on a stale record', async () => {
    const { authorize, rows, replace } = await setUp(await open())
    await replace(undefined, record(['openid', 'name']))
    await authorize('a', 'openid name', 'none')
    expect(await replace(record(['openid', 'name', 'gender']), record(['openid']))).toBe(false)
    expect(await rows()).toEqual(['a: openid name (none)'])
  })

  it('ends every authorization of person and app when it is withdrawn', async () => {
    const { authorize, rows, replace, store, personId } = await setUp(await open())
    await replace(undefined, record(['openid']))
    await authorize('a', 'openid', 'none')
    await authorize('b', 'openid', 'none', { appId: 'acme-other' })
    const answers = await eight(() => store.withdrawConsent(personId, appId, now))
    expect(answers.filter(Boolean)).toHaveLength(1)
    expect(await rows()).toEqual(['a: openid (none) revoked', 'b: openid (none)'])
    expect(await store.findConsent(personId, appId)).toBeUndefined()
  })
})

onBothDatabases('a relay address', (open) => {
  it('is the same for all concurrent calls of a person and an app, and different for another app', async () => {
    const { aliasesOf, personId, prisma } = await setUp(await open())
    const aliases = aliasesOf(() => makeAliasName(randomBytes))
    const addresses = await eight(() => aliases.ensureAddress(personId, appId, now))
    expect(new Set(addresses).size).toBe(1)
    expect(await aliases.findAddress(personId, appId)).toBe(addresses[0])
    expect(await aliases.ensureAddress(personId, 'acme-other', now)).not.toBe(addresses[0])
    expect(await prisma.alias.count()).toBe(2)
  })

  it('is made again if it is taken or was ever used', async () => {
    const { aliasesOf, personId, prisma } = await setUp(await open())
    await prisma.alias.create({ data: { address: 'k22222222222', createdAt: now } })
    const draws = ['k22222222222', 'k22222222222', 'm33333333333']
    const aliases = aliasesOf(() => draws.shift() as string)
    expect(await aliases.ensureAddress(personId, appId, now)).toBe('m33333333333@relay.example.org')
  })
})
