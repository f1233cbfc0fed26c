import type { Page } from '@playwright/test'
import type { ServerProcess } from './server-process.ts'

/** A browser, the server it visits, and `keep`, which handles each page and state. */
export type Walk = {
  page: Page
  server: ServerProcess
  keep(name: string): Promise<void>
  username: string
  /** A recovery code; set after the walk has created the codes. */
  recoveryCode?: string
}

export const password = 'the gate stands ajar'
