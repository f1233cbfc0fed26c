import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { applyMigrations } from '#prisma/apply'

declare module 'vitest' {
  interface ProvidedContext {
    /** Goes, with all that is in it, when the run ends. */
    temporaryFolder: string
    /** An SQLite file in it with every migration applied, to be copied. */
    sqliteTemplate: string
  }
}

/** One temporary folder for a whole run of vitest: its workers end too abruptly to clean up after themselves. */
export async function setup(project: TestProject): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-vitest-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  project.provide('temporaryFolder', folder)
  const template = join(folder, 'template.db')
  await applyMigrations(`file:${template}`)
  project.provide('sqliteTemplate', template)
}
