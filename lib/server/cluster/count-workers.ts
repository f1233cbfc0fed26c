import type { Config } from '#lib/server/settings/config'

type Wanted = Pick<Config, 'workers' | 'databaseUrl' | 'evaluation' | 'demoUrl' | 'smtpUrl'>

/** Returns how many workers run, and why there is only one although WORKERS asks for more. */
export function countWorkers(config: Wanted): { count: number; reason?: string } {
  const { workers, databaseUrl, evaluation, demoUrl, smtpUrl } = config
  if (workers === 1) return { count: 1 }
  if (databaseUrl.startsWith('file:'))
    return { count: 1, reason: 'SQLite has one writer at a time. WORKERS needs PostgreSQL' }
  if (demoUrl || (evaluation && !smtpUrl))
    return { count: 1, reason: 'the demo and the mailbox of an evaluation are in its memory. Set DEMO=0 and SMTP_URL' }
  return { count: workers }
}
