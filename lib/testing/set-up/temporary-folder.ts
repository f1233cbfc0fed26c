import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { applyMigrations } from '#prisma/apply'

declare module 'vitest' {
  interface ProvidedContext {
    /** Removed with its content at the end of the run. */
    temporaryFolder: string
    /** A template SQLite file in the folder with every migration applied. */
    sqliteTemplate: string
  }
}

/** Creates one temporary folder for a whole run of vitest, because its workers end too abruptly to clean up. */
export async function setup(project: TestProject): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-vitest-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  project.provide('temporaryFolder', folder)
  const template = join(folder, 'template.db')
  await applyMigrations(`file:${template}`)
  project.provide('sqliteTemplate', template)
}
