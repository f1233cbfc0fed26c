import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const root = resolve(import.meta.dirname, '..')

/** A measured server: a process with its own folder, which `stop` removes. */
export type ServerProcess = { pid: number; folder: string; child: ChildProcess; stop(): Promise<void> }

/**
 * Starts `node …args` and waits until `readyUrl` answers 200. `env` adds to the environment that every measured
 * server gets.
 */
export async function startProcess(
  args: string[],
  readyUrl: string,
  makeEnv: (folder: string) => Record<string, string>,
): Promise<ServerProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-bench-'))
  const { PATH, HOME, TMPDIR } = process.env
  const env: NodeJS.ProcessEnv = { PATH, HOME, TMPDIR, ...usual, ...makeEnv(folder) }
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  let output = ''
  const keep = (chunk: Buffer) => {
    output = (output + chunk).slice(-20_000)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  const kill = () => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', kill)
  const stop = async () => {
    await end(child)
    process.off('exit', kill)
    await rm(folder, { recursive: true, force: true })
  }
  if (!(await isReady(child, readyUrl))) {
    await stop()
    throw new Error(`node ${args.join(' ')} does not answer at ${readyUrl}:\n${output}`)
  }
  return { pid: child.pid as number, folder, child, stop }
}

// The same environment as `npm start`.
const usual = { NODE_ENV: 'production' as const, TZ: 'UTC', MALLOC_ARENA_MAX: '2', NEXT_TELEMETRY_DISABLED: '1' }

/** Returns the CPU seconds of all threads (user and system) and the resident memory in bytes. Linux only. */
export function readUsage(pid: number): { cpuSeconds: number; residentBytes: number } | null {
  if (process.platform !== 'linux') return null
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  // The second field is the program's name in parentheses and may contain any character; utime and stime are fields 14
  // and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))
  // USER_HZ is 100 on every Linux architecture Node runs on.
  return { cpuSeconds: ticks / 100, residentBytes: Number(resident?.[1] ?? 0) * 1024 }
}

async function isReady(child: ChildProcess, url: string): Promise<boolean> {
  const deadline = Date.now() + 60_000
  while (child.exitCode === null && child.signalCode === null && Date.now() < deadline) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(5000) }).catch(() => null)
    await answer?.arrayBuffer()
    if (answer?.ok) return true
    await sleep(50)
  }
  return false
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const limit = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await gone
  clearTimeout(limit)
}
