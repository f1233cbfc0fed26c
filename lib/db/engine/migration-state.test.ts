import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { emptyUrl, kinds } from '#lib/testing/databases/databases'
import { applyMigrations } from '#prisma/apply'
import { readMigrationState } from './migration-state.ts'

/** The migrations of this version, and of a later version with one more. */
function setUp() {
  const later = mkdtempSync(join(tmpdir(), 'postern-migrations-'))
  onTestFinished(() => rmSync(later, { recursive: true }))
  cpSync('prisma/migrations', later, { recursive: true })
  for (const kind of kinds) {
    mkdirSync(join(later, kind, '99991231000000_later'))
    writeFileSync(
      join(later, kind, '99991231000000_later/migration.sql'),
      'CREATE TABLE "Later" (id TEXT PRIMARY KEY);',
    )
  }
  return later
}

describe.each(kinds)('the state of migrations on %s', (kind) => {
  it('reports an unused database as empty, without creating it', async () => {
    const url = await emptyUrl(kind)
    const state = await readMigrationState(url)
    expect(state.empty).toBe(true)
    expect(state.pending.length).toBeGreaterThan(0)
    if (kind === 'sqlite') expect(existsSync(url.slice('file:'.length))).toBe(false)
    expect(await applyMigrations(url)).toEqual(state.pending)
  })

  it('reports no pending migration, and the new ones of a later version', async () => {
    const [url, later] = [await emptyUrl(kind), setUp()]
    await applyMigrations(url)
    expect(await readMigrationState(url)).toEqual({ empty: false, pending: [] })
    expect(await readMigrationState(url, later)).toEqual({ empty: false, pending: ['99991231000000_later'] })
  })

  it('accepts the expand steps of a newer version, and rejects its contract step', async () => {
    const [url, later] = [await emptyUrl(kind), setUp()]
    await applyMigrations(url, later)
    expect(await readMigrationState(url)).toEqual({ empty: false, pending: [] })
    renameSync(join(later, kind, '99991231000000_later'), join(later, kind, '99991231000001_contract_later'))
    writeFileSync(join(later, kind, '99991231000001_contract_later/migration.sql'), 'DROP TABLE "Later";')
    await applyMigrations(url, later)
    await expect(readMigrationState(url)).rejects.toThrow('newer Postern')
  })
})
