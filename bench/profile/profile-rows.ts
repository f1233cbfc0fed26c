import { runLoad } from '../load.ts'
import type { Options, Row } from '../measure.ts'
import type { Contestant } from '../server.ts'
import type { Workload } from '../workload.ts'
import { profileDuring } from './inspector.ts'
import { busyShare, inclusiveShares, ownShares, type Share } from './shares.ts'

/** Shows where the main thread of a server spends the time of each row, after a run that lets V8 compile the code. */
export async function profileRows(rows: Row[], options: Options, tell: (line: string) => void): Promise<string> {
  const tables: string[] = []
  for (const row of rows)
    for (const contestant of row.contestants) {
      tell(`${row.name}, ${contestant.name}`)
      tables.push(await profileRow(row, contestant, options))
    }
  return tables.join('\n\n')
}

/** Smaller shares are not listed. */
const least = 0.01

async function profileRow(row: Row, contestant: Contestant, { seconds, connections }: Options): Promise<string> {
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
    const { profile, result } = await profileDuring(server.process.pid, () => load(workload))
    return [
      `${row.name}, ${contestant.name}: ${result.requests.toLocaleString('en')} requests while profiled, the thread was busy for ${(busyShare(profile) * 100).toFixed(0)} % of the time`,
      '',
      ...table('where the thread was', ownShares(profile)),
      '',
      ...table('function with all that it calls', inclusiveShares(profile)),
    ].join('\n')
  } finally {
    await server.process.stop()
  }
}

const table = (head: string, shares: Share[]): string[] => [
  `| ${head} | share |`,
  '| --- | --: |',
  ...shares
    .filter(({ share }) => share >= least)
    .map(({ place, share }) => `| ${place} | ${(share * 100).toFixed(1)} % |`),
]
