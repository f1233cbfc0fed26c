import { makeInstallation } from './endurance/installation.ts'
import type { Contestant } from './server.ts'

/** Postern with a PostgreSQL server of its own on this machine, which writes every commit to the disk. */
export const onPostgres = reachedBy('TCP')
export const onPostgresBySocket = reachedBy('Unix socket')

function reachedBy(way: 'TCP' | 'Unix socket'): Contestant {
  return {
    name: `Postern on PostgreSQL, ${way}`,
    async start() {
      const installation = await makeInstallation('PostgreSQL', { socket: way === 'Unix socket' })
      const server = await installation.start()
      const stop = async () => {
        await server.process.stop()
        await installation.remove()
      }
      return { ...server, process: { ...server.process, stop } }
    },
  }
}
