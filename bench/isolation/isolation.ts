import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { startFrontDoor } from '../postern.ts'
import type { FloodResult, SignInFlood } from './flood-process.ts'
import type { PacedRefresh } from './refresh-process.ts'

export const refreshesPerSecond = 50
const signInsAtOnce = 200

/**
 * Measures the latency of a token refresh without and with a concurrent flood of sign-ins, alternating. Every sign-in
 * uses its own network and its own username, so that no limiter rejects it before the password is hashed.
 */
export async function measureIsolation(
  { seconds, runs }: { seconds: number; runs: number },
  tell: (line: string) => void,
): Promise<string> {
  const server = await startFrontDoor({ TRUST_PROXY: '127.0.0.1' })
  try {
    const refresh = await makePacedRefresh(server, seconds)
    const times = { alone: [] as number[], flooded: [] as number[] }
    const floods: FloodResult[] = []
    await refresh()
    for (let run = 1; run <= runs; run++) {
      times.alone.push(...(await refresh()))
      const about: SignInFlood = { port: server.accountPort, atOnce: signInsAtOnce, first: run }
      const flood = fork(at('flood-process.ts'))
      await answerOf(flood, about)
      times.flooded.push(...(await refresh()))
      floods.push(await answerOf<FloodResult>(flood, 'stop'))
      flood.kill()
      tell(`run ${run}/${runs}: p99 ${at99(times.alone)} ms alone, ${at99(times.flooded)} ms flooded`)
    }
    return render(times, floods)
  } finally {
    await server.process.stop()
  }
}

type Server = Awaited<ReturnType<typeof startFrontDoor>>

/** Returns a function that refreshes for some seconds at a steady rate, and returns the latencies. */
export async function makePacedRefresh({ port, host, endpoints, prepare }: Server, seconds: number) {
  const { client, values } = await prepare('refreshTokens', 500)
  let tokens = values
  return async (): Promise<number[]> => {
    const about: PacedRefresh = {
      ...{ port, host, path: endpoints.token, client, tokens },
      ...{ seconds, perSecond: refreshesPerSecond },
    }
    const result = await ask<{ latencies: number[]; tokens: string[] }>('refresh-process.ts', about)
    tokens = result.tokens
    return result.latencies
  }
}

const at = (name: string) => resolve(import.meta.dirname, name)

async function ask<Result>(name: string, about: object): Promise<Result> {
  const child = fork(at(name))
  try {
    return await answerOf<Result>(child, about)
  } finally {
    child.kill()
  }
}

async function answerOf<Result>(child: ChildProcess, about: object | string): Promise<Result> {
  child.send(about)
  const [answer] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [undefined])])
  if (!answer) throw new Error('A process of the measurement ended early.')
  if ('fault' in answer) throw new Error(answer.fault)
  return answer
}

function render(times: Record<'alone' | 'flooded', number[]>, floods: FloodResult[]): string {
  const row = (name: string, list: number[], more: string) =>
    `| ${name} | ${list.length} | ${[0.5, 0.95, 0.99, 1].map((share) => percentile(list, share)).join(' | ')} | ${more} |`
  const rate = (kind: 'verified' | 'refused') =>
    Math.round(floods.reduce((sum, one) => sum + one[kind] / one.seconds / floods.length, 0))
  const ratio = Number(percentile(times.flooded, 0.99)) / Number(percentile(times.alone, 0.99))
  return [
    `| token refresh, ${refreshesPerSecond} a second | refreshes | p50 ms | p95 ms | p99 ms | maximum ms | sign-ins at the same time |`,
    '| --- | --: | --: | --: | --: | --: | --- |',
    row('alone', times.alone, 'none'),
    row(
      `beside ${signInsAtOnce} concurrent sign-ins`,
      times.flooded,
      `${rate('verified')} a second verified, ${rate('refused')} a second answered 503`,
    ),
    '',
    `p99 beside the flood is ${ratio.toFixed(1)} times p99 alone.`,
  ].join('\n')
}

const at99 = (list: number[]) => percentile(list, 0.99)

export function percentile(list: number[], share: number): string {
  const sorted = list.toSorted((one, other) => one - other)
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number).toFixed(1)
}
