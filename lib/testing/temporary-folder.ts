import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Goes, with all that is in it, when the run ends. */
    temporaryFolder: string
  }
}

/** One temporary folder for a whole run of vitest: its workers end too abruptly to clean up after themselves. */
export function setup(project: TestProject): void {
  const folder = mkdtempSync(join(tmpdir(), 'postern-vitest-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  project.provide('temporaryFolder', folder)
}
