import { makeInstallation } from './endurance/installation.ts'
import type { Contestant } from './server.ts'

/** Postern with a PostgreSQL server of its own on this machine, which writes every commit to the disk. */
export const onPostgres: Contestant = {
  name: 'Postern on PostgreSQL',
  async start() {
    const installation = await makeInstallation('PostgreSQL')
    const server = await installation.start()
    const stop = async () => {
      await server.process.stop()
      await installation.remove()
    }
    return { ...server, process: { ...server.process, stop } }
  },
}
