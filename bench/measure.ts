import { type LoadResult, runLoad } from './load.ts'
import type { Contestant, Server } from './server.ts'
import type { Workload } from './workload.ts'

export type Options = { seconds: number; runs: number; connections: number }

/** One row of the table: a workload and the servers it is measured on. */
export type Row = {
  name: string
  contestants: Contestant[]
  /** Seconds of load before the first run of each server, because a Java virtual machine becomes fast only after some time. */
  firstWarmUp?: number
  /** Returns the workload for a server, with enough values for `requests` requests. */
  workload(server: Server, requests: number): Promise<Workload>
}

export type Figure = {
  row: string
  contestant: string
  requestsPerSecond: number
  p50: number
  p99: number
  cpuPerThousand: number | null
  residentBytes: number | null
}

const warmUpSeconds = 1

/**
 * Measures all servers of a row, alternating between them (A B A B …), so that a slow minute of the machine affects
 * all of them alike.
 */
export async function measureRow(row: Row, options: Options, tell: (line: string) => void): Promise<Figure[]> {
  const running: Entry[] = []
  try {
    for (const contestant of row.contestants)
      running.push({ contestant, server: await contestant.start(), results: [] })
    for (let run = 1; run <= options.runs; run++) {
      for (const entry of running) {
        const result = await measureOnce(row, entry, options)
        entry.results.push(result)
        tell(`${row.name}, run ${run}/${options.runs}, ${entry.contestant.name}: ${inWords(result)}`)
      }
    }
  } finally {
    for (const { server } of running) await server.process.stop()
  }
  return running.map(({ contestant, results }) => summarize(row.name, contestant.name, results))
}

type Entry = { contestant: Contestant; server: Server; results: LoadResult[] }

async function measureOnce(row: Row, { server, results }: Entry, options: Options): Promise<LoadResult> {
  const warmUp = results.length === 0 ? (row.firstWarmUp ?? warmUpSeconds) : warmUpSeconds
  // Enough values for the whole run with some to spare, estimated from the previous runs.
  const expected = Math.max(4000, ...results.map(rate)) * 1.3
  const workload = await row.workload(server, Math.ceil(expected * (warmUp + options.seconds)))
  const { port, host, process } = server
  return runLoad({
    ...options,
    warmUpSeconds: warmUp,
    workload,
    server: { port: workload.port ?? port, host, pid: process.pid },
  })
}

const rate = ({ requests, seconds }: LoadResult) => requests / seconds

/**
 * Returns a progress line. A run shorter than planned means that the prepared values ran out; a generator near 100 %
 * means that it limits the result.
 */
function inWords(result: LoadResult): string {
  const share = Math.round(result.generatorShare * 100)
  return `${Math.round(rate(result))} requests/s for ${result.seconds.toFixed(1)} s (generator ${share} % busy)`
}

function summarize(row: string, contestant: string, results: LoadResult[]): Figure {
  const cpu = results.map(({ cpuSeconds, requests }) => (cpuSeconds === null ? null : (cpuSeconds / requests) * 1000))
  return {
    row,
    contestant,
    requestsPerSecond: median(results.map(rate)),
    p50: median(results.map(({ p50 }) => p50)),
    p99: median(results.map(({ p99 }) => p99)),
    cpuPerThousand: cpu.some((value) => value === null) ? null : median(cpu as number[]),
    residentBytes: results.at(-1)?.residentBytes ?? null,
  }
}

/** Returns the middle value, or the mean of the two in the middle. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return ((low as number) + (high as number)) / 2
}
