import { expect, it } from 'vitest'
import { onBothDatabases } from '#lib/testing/process/databases'
import { ada, apply, fileOf, web } from '#lib/testing/process/provision'
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
})
