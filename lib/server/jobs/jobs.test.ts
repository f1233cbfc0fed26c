import { expect, it } from 'vitest'
import { deriveKeys } from '#lib/crypto/derived-keys'
import { sweeps } from '#lib/db/jobs/sweep-store'
import { keyStore } from '#lib/db/keys/key-store'
import { rotateSigningKeys } from '#lib/keys/rotate-signing-keys'
import { openSigningKeys } from '#lib/keys/signing-keys'
import { onBothDatabases } from '#lib/testing/databases/databases'
import { sweep } from './sweep.ts'

const start = new Date('2026-01-01T00:00:00Z')
const after = (days: number) => new Date(start.getTime() + days * 86_400_000)

onBothDatabases('jobs', (open) => {
  it('sweep all expired rows, and no others', async () => {
    const database = await open()
    const { prisma } = database
    const rows = Array.from({ length: 1203 }, (_, i) => ({ jti: `old-${i}`, expiresAt: start }))
    await prisma.revokedToken.createMany({ data: [...rows, { jti: 'live', expiresAt: after(2) }] })
    const counts: Record<string, number> = {}
    await sweep(sweeps(database), after(1), (table, count) => {
      counts[table] = (counts[table] ?? 0) + count
    })
    expect(counts.RevokedToken).toBe(1203)
    expect(await prisma.revokedToken.findMany({ select: { jti: true } })).toEqual([{ jti: 'live' }])
  })

  it('sweep rows of people and mail at their time, and keep those still needed', async () => {
    const database = await open()
    const { prisma } = database
    const person = { name: '', nickname: '', biography: '', gender: '', birthdate: '', region: '', locale: 'en' }
    const times = { profileUpdatedAt: start, createdAt: start }
    await prisma.person.create({ data: { id: 'ada', username: 'ada', ...person, ...times } })
    await prisma.alias.create({ data: { address: 'abcdefghjkmn', personId: 'ada', createdAt: start } })
    await prisma.activity.createMany({
      data: [
        { id: 'old', at: after(3 - 400) },
        { id: 'live', at: after(4 - 400) },
      ].map((one) => ({ ...one, personId: 'ada', kind: 'signed_in', detail: '{}', address: '', device: '' })),
    })
    const marks = [
      { id: 'old', expiresAt: after(3) },
      { id: 'live', expiresAt: after(4) },
    ]
    await prisma.relayReceipt.createMany({ data: marks })
    await prisma.threadMark.createMany({ data: marks.map((mark) => ({ ...mark, aliasName: 'abcdefghjkmn' })) })
    await prisma.returnedMail.createMany({
      data: [
        { id: 'old', personId: 'ada', at: after(1) },
        { id: 'live', personId: 'ada', at: after(2) },
      ],
    })
    await prisma.reverseAddress.createMany({
      data: [
        { token: 'old', lastUsedAt: after(3 - 730) },
        { token: 'live', lastUsedAt: after(4 - 730) },
      ].map((one) => ({ ...one, aliasName: 'abcdefghjkmn', target: 'news@shop.example', createdAt: start })),
    })
    await prisma.invitation.createMany({
      data: [
        { hash: 'old', expiresAt: after(3 - 30) },
        { hash: 'live', expiresAt: after(4 - 30) },
      ].map((one) => ({ ...one, note: '', createdAt: start })),
    })
    await sweep(sweeps(database), after(3), () => undefined)
    expect(await prisma.invitation.findMany({ select: { hash: true } })).toEqual([{ hash: 'live' }])
    expect(await prisma.reverseAddress.findMany({ select: { token: true } })).toEqual([{ token: 'live' }])
    const only = { select: { id: true } }
    expect(await prisma.activity.findMany(only)).toEqual([{ id: 'live' }])
    expect(await prisma.relayReceipt.findMany(only)).toEqual([{ id: 'live' }])
    expect(await prisma.threadMark.findMany(only)).toEqual([{ id: 'live' }])
    expect(await prisma.returnedMail.findMany(only)).toEqual([{ id: 'live' }])
  })

  it('publish a signing key before it signs, and until its last token has expired', async () => {
    const { prisma } = await open()
    const clock = { now: start }
    const needs = { store: keyStore(prisma), secrets: deriveKeys(Buffer.alloc(32, 5)), now: () => clock.now }
    const keys = await openSigningKeys(needs, undefined)
    const kidOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
    const first = kidOf(await keys.sign('JWT', {}))
    expect(await rotateSigningKeys(needs)).toBe('not yet')
    clock.now = after(76)
    const eight = await Promise.all(Array.from({ length: 8 }, () => rotateSigningKeys(needs)))
    expect(eight).toContain('rotated')
    expect(await keys.published()).toHaveLength(4)
    expect(kidOf(await keys.sign('JWT', {}))).toBe(first)
    clock.now = after(91)
    const token = await keys.sign('JWT', { sub: 'x' })
    expect(kidOf(token)).not.toBe(first)
    expect(await keys.verify('JWT', token)).toEqual({ sub: 'x' })
    expect(await keys.published()).toHaveLength(4)
    clock.now = after(93)
    expect((await keys.published()).map(({ kid, alg }) => (alg === 'ES256' ? kid : alg))).toEqual([
      kidOf(token),
      'RS256',
    ])
  })
})
