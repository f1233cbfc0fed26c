import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { setUpCommandLine } from '#lib/testing/process/command-line'
import { openPostern, type Postern } from '#lib/testing/process/postern'

/** Opens a Postern on an SQLite file, with the command line of the same installation and names for its backups. */
export async function setUpRestorable(env: Record<string, string> = {}) {
  let running: Postern | undefined
  const open = async (...about: Parameters<typeof openPostern>) => (running = await openPostern(...about))
  const stop = async () => {
    await running?.close()
    running = undefined
  }
  onTestFinished(stop)
  const postern = await open({ env: { REFRESH_RETRY_SECONDS: '0', ...env } })
  const settings = postern.settings as Record<string, string>
  const line = setUpCommandLine(settings)
  const folder = dirname(line.save('', 'keep'))
  return {
    ...line,
    postern,
    settings,
    file: (settings.DATABASE_URL as string).slice('file:'.length),
    target: join(folder, 'copy.db'),
    journal: join(folder, 'deleted'),
    stop,
    start: () => open({ env: settings, provision: { teams: [] } }),
  }
}
