import { expect, it } from 'vitest'
import { onBothDatabases } from '#lib/testing/databases/databases'
import { ada, apply, fileOf, web } from '#lib/testing/databases/provision'
import { beginEpoch } from './begin-epoch.ts'

const backupAt = new Date('2026-11-20T10:00:00Z')
const restoredAt = new Date('2026-11-20T12:00:00Z')
const until = new Date('2026-12-20T12:00:00Z')

onBothDatabases('a restore epoch', (open) => {
  it('removes e-mail codes, and keeps the undo of an e-mail change', async () => {
    const database = await open()
    const { prisma } = database
    await apply(database, fileOf([web], [ada]))
    const { id: personId } = await prisma.person.findFirstOrThrow()
    const addresses = { oldAddress: 'ada@example.org', newAddress: 'new@example.org' }
    const about = { id: 'change', personId, sessionId: 's', undoHash: 'h', changedAt: backupAt, expiresAt: until }
    await prisma.emailChange.create({ data: { ...about, ...addresses } })
    const code = { purpose: 'bind', address: 'new@example.org', hash: 'h', attempts: 0, sent: 1 }
    await prisma.emailCode.create({ data: { personId, ...code, sentAt: backupAt, expiresAt: until } })
    await beginEpoch(prisma, { id: 'restore', backupAt, restoredAt, until })
    expect([await prisma.emailCode.count(), await prisma.emailChange.count({ where: { undoneAt: null } })]).toEqual([
      0, 1,
    ])
  })

  it('ends the codes that were live at the backup, and counts no code that had expired', async () => {
    const database = await open()
    const { prisma } = database
    await apply(database, fileOf([web], [ada]))
    const { id: personId } = await prisma.person.findFirstOrThrow()
    const fixed = { appId: 'acme-web', personId, sessionId: 's', sub: 's', scopes: 'openid', emailChoice: 'none' }
    const proof = {
      redirectUri: 'https://acme.example/cb',
      authTime: backupAt,
      authTimeWanted: false,
      acr: '1',
      amr: '',
    }
    for (const [id, codeExpiresAt] of [
      ['expired', backupAt],
      ['live', new Date(backupAt.getTime() + 1)],
    ] as const) {
      const row = { id, requestId: id, codeHash: id, salt: '', codeExpiresAt, createdAt: backupAt, keepUntil: until }
      await prisma.authorization.create({ data: { ...fixed, ...proof, ...row } })
    }
    expect(await beginEpoch(prisma, { id: 'restore', backupAt, restoredAt, until })).toMatchObject({ codes: 1 })
    expect(await prisma.authorization.findMany({ where: { revokedAt: null }, select: { id: true } })).toEqual([
      { id: 'expired' },
    ])
  })
})
