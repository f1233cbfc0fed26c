import { runLoad } from '../load.ts'
import { startFrontDoor } from '../postern.ts'
import { makePacedRefresh, percentile, refreshesPerSecond } from './isolation.ts'

const connections = 32

/**
 * Measures the latency of one app's token refreshes, alone and while another app refreshes on 32 connections as fast as
 * it is answered, alternating.
 */
export async function measureBusyApp(
  { seconds, runs }: { seconds: number; runs: number },
  tell: (line: string) => void,
): Promise<string> {
  const server = await startFrontDoor({})
  try {
    const refresh = await makePacedRefresh(server, seconds)
    const times = { alone: [] as number[], beside: [] as number[] }
    const rates: number[] = []
    await refresh()
    for (let run = 1; run <= runs; run++) {
      times.alone.push(...(await refresh()))
      const busy = await server.prepare('refreshTokens', connections)
      const load = refreshAsFastAsAnswered(server, busy, seconds + 2)
      // Until its warm-up is over, the other app is slower than it will be.
      await new Promise((resolve) => setTimeout(resolve, 2000))
      times.beside.push(...(await refresh()))
      const { requests, seconds: took } = await load
      rates.push(requests / took)
      tell(
        `run ${run}/${runs}: p99 ${percentile(times.alone, 0.99)} ms alone, ${percentile(times.beside, 0.99)} ms beside`,
      )
    }
    return render(times, rates)
  } finally {
    await server.process.stop()
  }
}

type Server = Awaited<ReturnType<typeof startFrontDoor>>
type Stock = Awaited<ReturnType<Server['prepare']>>

function refreshAsFastAsAnswered(
  { port, host, endpoints, process }: Server,
  { client, values }: Stock,
  seconds: number,
) {
  const authorization = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`
  const body = 'grant_type=refresh_token&refresh_token={value}'
  return runLoad({
    server: { port, host, pid: process.pid },
    workload: {
      ...{ method: 'POST', path: endpoints.token, headers: { authorization }, body, values },
      ...{ use: 'chain', mustContain: '"id_token"' },
    },
    ...{ connections, warmUpSeconds: 1, seconds },
  })
}

function render({ alone, beside }: Record<'alone' | 'beside', number[]>, rates: number[]): string {
  const row = (name: string, list: number[], other: string) =>
    `| ${[name, list.length, ...[0.5, 0.95, 0.99, 1].map((share) => percentile(list, share)), other].join(' | ')} |`
  const rate = Math.round(rates.reduce((sum, one) => sum + one, 0) / rates.length)
  return [
    `| token refresh of one app, ${refreshesPerSecond} a second | refreshes | p50 ms | p95 ms | p99 ms | maximum ms | refreshes of the other app |`,
    '| --- | --: | --: | --: | --: | --: | --- |',
    row('alone', alone, 'none'),
    row(`beside an app with ${connections} busy connections`, beside, `${rate.toLocaleString('en')} a second`),
  ].join('\n')
}
