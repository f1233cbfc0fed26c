import type { Page } from '@playwright/test'
import type { ServerProcess } from './server-process.ts'

/**
 * One visit of every page. The walk calls `keep` with a name for each page and state, to check it or to take a
 * picture.
 */
export type Walk = {
  page: Page
  server: ServerProcess
  keep(name: string): Promise<void>
  username: string
  /** A recovery code; set after the walk has created the codes. */
  recoveryCode?: string
}

export const password = 'the gate stands ajar'
