import { type LoadResult, runLoad } from '../load.ts'
import type { Options, Row } from '../measure.ts'
import type { Contestant, Server } from '../server.ts'
import type { Workload } from '../workload.ts'

/** Starts a server, runs a row once so that V8 compiles the code, and observes a second run. */
export async function observeWarm<Found>(
  row: Row,
  contestant: Contestant,
  { seconds, connections }: Options,
  observe: (server: Server, load: () => Promise<LoadResult>) => Promise<Found>,
): Promise<Found> {
  const server = await contestant.start()
  const load = (workload: Workload) => {
    const target = { port: workload.port ?? server.port, host: server.host, pid: server.process.pid }
    return runLoad({ seconds, connections, warmUpSeconds: 0, workload, server: target })
  }
  try {
    const warmUp = await row.workload(server, 6000 * seconds)
    const { requests: expected } = await load(warmUp)
    // Tokens that are used again have been verified before, as in practice.
    const workload = warmUp.use === 'cycle' ? warmUp : await row.workload(server, expected * 2)
    return await observe(server, () => load(workload))
  } finally {
    await server.process.stop()
  }
}
