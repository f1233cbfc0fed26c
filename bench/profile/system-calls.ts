import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureProgram } from '../../bin/apt.mjs'
import type { Options, Row } from '../measure.ts'
import type { Contestant, Server } from '../server.ts'
import { observeWarm } from './warm-load.ts'

/**
 * Counts the system calls that all threads of a server make for one request of each row. strace makes each call many times
 * slower, so a turn of the event loop has fewer requests, and the counts are higher than without it.
 */
export async function countCalls(rows: Row[], options: Options, tell: (line: string) => void): Promise<string> {
  const strace = await ensureProgram('strace')
  const lines = ['|  | server | system calls | of which |', '| --- | --- | --: | --- |']
  for (const row of rows)
    for (const contestant of row.contestants) {
      tell(`${row.name}, ${contestant.name}`)
      const counts = await countRow(strace, row, contestant, options)
      const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
      const parts = [...counts]
        .filter(([, count]) => count >= least)
        .map(([name, count]) => `${name} ${count.toFixed(2)}`)
      lines.push(`| ${[row.name, contestant.name, total.toFixed(2), parts.join(', ')].join(' | ')} |`)
    }
  return lines.join('\n')
}

/** Calls that are rarer are only part of the sum. */
const least = 0.02

const countRow = (strace: string, row: Row, contestant: Contestant, options: Options) =>
  observeWarm(row, contestant, options, async (server, load) => {
    const stop = await attach(strace, server)
    const { requests } = await load()
    const counts = await stop()
    return new Map(counts.map(([name, count]) => [name, count / requests]))
  })

/** Attaches strace, and returns a function that detaches it and returns the number of calls by name, most first. */
async function attach(strace: string, { process: { pid, folder } }: Server) {
  const file = join(folder, 'calls')
  const args = ['-f', '-c', '-S', 'calls', '-U', 'calls,name', '-o', file, '-p', String(pid)]
  const tracer = spawn(strace, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(tracer, 'exit')
  let said = ''
  tracer.stderr.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  while (!said.includes('attached')) {
    const [code] = await Promise.race([once(tracer.stderr, 'data').then(() => [undefined]), ended])
    if (code !== undefined) throw new Error(`strace cannot attach: ${said}`)
  }
  return async () => {
    tracer.kill('SIGINT')
    await ended
    const found = readFileSync(file, 'utf8').matchAll(/^ +(\d+) (\w+)$/gm)
    return [...found]
      .map(([, count, name]): [string, number] => [name as string, Number(count)])
      .filter(([name]) => name !== 'total')
  }
}
