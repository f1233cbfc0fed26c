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

/** Returns an authorization request of the demo app, or of another app that returns to it, with these changes. */
export const requestOf = (server: ServerProcess, changes: Record<string, string> = {}) =>
  new URLSearchParams({
    client_id: 'demo-app',
    response_type: 'code',
    redirect_uri: `${server.demoUrl}/callback`,
    scope: 'openid name email',
    state: 'state',
    code_challenge: 'A'.repeat(43),
    code_challenge_method: 'S256',
    ...changes,
  })
