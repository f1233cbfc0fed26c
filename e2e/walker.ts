import type { Page } from '@playwright/test'
import type { ServerProcess } from './server-process.ts'

/** A browser on its way, the server it visits, and what is done with each page and state it meets. */
export type Walk = {
  page: Page
  server: ServerProcess
  keep(name: string): Promise<void>
  username: string
  /** A recovery code, once the walk has made some. */
  recoveryCode?: string
}

export const password = 'the gate stands ajar'
