import type { Page } from '@playwright/test'
import type { ServerProcess } from './server-process.ts'

/** A browser on its way, the server it visits, and what is done with each page and state it meets. */
export type Walk = { page: Page; server: ServerProcess; keep(name: string): Promise<void>; username: string }

export const password = 'the gate stands ajar'
