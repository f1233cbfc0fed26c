import type { Options, Row } from '../measure.ts'
import type { Contestant } from '../server.ts'
import { profileDuring } from './inspector.ts'
import { busyShare, inclusiveShares, ownShares, type Share } from './shares.ts'
import { observeWarm } from './warm-load.ts'

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

const profileRow = (row: Row, contestant: Contestant, options: Options) =>
  observeWarm(row, contestant, options, async (server, load) => {
    const { profile, result } = await profileDuring(server.process.pid, load)
    return [
      `${row.name}, ${contestant.name}: ${result.requests.toLocaleString('en')} requests while profiled, the thread was busy for ${(busyShare(profile) * 100).toFixed(0)} % of the time`,
      '',
      ...table('where the thread was', ownShares(profile)),
      '',
      ...table('function with all that it calls', inclusiveShares(profile)),
    ].join('\n')
  })

const table = (head: string, shares: Share[]): string[] => [
  `| ${head} | share |`,
  '| --- | --: |',
  ...shares
    .filter(({ share }) => share >= least)
    .map(({ place, share }) => `| ${place} | ${(share * 100).toFixed(1)} % |`),
]
