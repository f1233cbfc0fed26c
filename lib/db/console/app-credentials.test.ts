import { expect, it } from 'vitest'
import type { Act, ActKind } from '#lib/console/audit/act'
import type { Prisma } from '#lib/db/engine/client'
import { onBothDatabases } from '#lib/testing/databases/databases'
import { appCredentials } from './app-credentials.ts'

const now = new Date('2026-11-20T10:00:00Z')
const times = { createdAt: now, updatedAt: now }
let last = 0
const own = (id: string) => ({ id, teamId: 'acme' })
const act = (kind: ActKind): Act => {
  last += 1
  return { id: `act-${last}`, at: now, actor: '', kind, target: '', before: {}, after: {} }
}

async function seed(prisma: Prisma) {
  await prisma.team.create({ data: { id: 'acme', name: 'Acme', ...times } })
  for (const kind of ['confidential', 'public', 'assertion']) {
    const rest = {
      profile: 'standard',
      redirectUris: '["https://a.example/"]',
      scopes: 'openid',
      requiredScopes: 'openid',
      email: 'none',
    }
    await prisma.app.create({
      data: { id: kind, teamId: 'acme', name: kind, kind, ...rest, homepage: '', policyUri: '', tosUri: '', ...times },
    })
  }
}

onBothDatabases('the credentials of apps', (open) => {
  it('adds a secret to confidential apps only, up to two', async () => {
    const { prisma } = await open()
    await seed(prisma)
    const store = appCredentials(prisma, 2)
    const add = (app: string, id: string) => store.addSecret(own(app), { id, hash: id }, act('secret_added'))
    expect(await add('nobody', 's0')).toBe('unknown app')
    expect(await add('public', 's0')).toBe('not confidential')
    const outcomes = await Promise.all(Array.from({ length: 8 }, (_, n) => add('confidential', `s${n}`)))
    expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(2)
    expect(outcomes.filter((outcome) => outcome === 'enough are live')).toHaveLength(6)
    expect(await prisma.appSecret.findMany()).toHaveLength(2)
  })

  it('removes a secret of this app only', async () => {
    const { prisma } = await open()
    await seed(prisma)
    const store = appCredentials(prisma, 2)
    await store.addSecret(own('confidential'), { id: 's1', hash: 'h' }, act('secret_added'))
    expect(await store.removeSecret(own('public'), 's1', act('secret_removed'))).toBe(false)
    expect(await store.removeSecret(own('confidential'), 's1', act('secret_removed'))).toBe(true)
    expect(await prisma.appSecret.findMany()).toEqual([])
  })

  it('removes a key unless it is the last one', async () => {
    const { prisma } = await open()
    await seed(prisma)
    const store = appCredentials(prisma, 2)
    for (const kid of ['k1', 'k2'])
      await prisma.appKey.create({ data: { appId: 'assertion', kid, jwk: '{}', createdAt: now } })
    expect(await store.removeKey(own('assertion'), 'k3', act('key_removed'))).toBe('unknown')
    expect(await store.removeKey(own('assertion'), 'k1', act('key_removed'))).toBe('removed')
    expect(await store.removeKey(own('assertion'), 'k2', act('key_removed'))).toBe('last')
    const registration = JSON.stringify({ jwks_uri: 'https://acme.example/jwks' })
    await prisma.app.update({ where: { id: 'assertion' }, data: { registration } })
    expect(await store.removeKey(own('assertion'), 'k2', act('key_removed'))).toBe('removed')
  })
})
