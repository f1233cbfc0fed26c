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

/** A server program. `env` adds to the environment that every measured server gets. */
export type Program = {
  file: string
  args: string[]
  /** Answers 200 as soon as the server is ready. */
  readyUrl: string
  env(folder: string): Record<string, string>
  /** The wait for the server, in seconds. */
  patience?: number
  ipc?: boolean
}

/** Starts `node …args` and waits until `readyUrl` answers 200. */
export const startProcess = (
  args: string[],
  readyUrl: string,
  env: (folder: string) => Record<string, string>,
): Promise<ServerProcess> =>
  // A part of the environment of `npm start`: its other limits of memory are left out.
  startProgram({
    file: process.execPath,
    args,
    readyUrl,
    ipc: true,
    env: (folder) => ({ NODE_ENV: 'production', MALLOC_ARENA_MAX: '2', NEXT_TELEMETRY_DISABLED: '1', ...env(folder) }),
  })

/** Starts a program and waits until it is ready. */
export async function startProgram({
  file,
  args,
  readyUrl,
  env: makeEnv,
  patience = 60,
  ipc = false,
}: Program): Promise<ServerProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-bench-'))
  const { PATH, HOME, TMPDIR } = process.env
  const env = { PATH, HOME, TMPDIR, TZ: 'UTC', ...makeEnv(folder) } as unknown as NodeJS.ProcessEnv
  // The program leads a process group, because it may be a script that starts the server.
  const options = { cwd: root, env, detached: true } as const
  const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? (['ipc'] as const) : [])] })
  let output = ''
  const keep = (chunk: Buffer) => {
    output = (output + chunk).slice(-20_000)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  const kill = () => {
    killGroup(child)
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', kill)
  const stop = async () => {
    await end(child)
    process.off('exit', kill)
    await rm(folder, { recursive: true, force: true })
  }
  if (!(await isReady(child, readyUrl, patience))) {
    await stop()
    throw new Error(`${file} ${args.join(' ')} does not answer at ${readyUrl}:\n${output}`)
  }
  return { pid: child.pid as number, folder, child, stop }
}

/** `fileBytes` is the part of `residentBytes` that holds files, such as the program of Node, and can be read again. */
export type Usage = { cpuSeconds: number; residentBytes: number; fileBytes: number }

/** Returns the CPU seconds of all threads (user and system) and the resident memory in bytes. Linux only. */
export function readUsage(pid: number): Usage | null {
  if (process.platform !== 'linux') return null
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  // The second field is the program's name in parentheses and may contain any character; utime and stime are fields 14
  // and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  const bytesOf = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * 1024
  // USER_HZ is 100 on every Linux architecture Node runs on.
  return { cpuSeconds: ticks / 100, residentBytes: bytesOf('VmRSS'), fileBytes: bytesOf('RssFile') }
}

async function isReady(child: ChildProcess, url: string, seconds: number): Promise<boolean> {
  const deadline = Date.now() + seconds * 1000
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
  const limit = setTimeout(() => killGroup(child), 10_000)
  await gone
  clearTimeout(limit)
}

function killGroup({ pid, exitCode, signalCode }: ChildProcess) {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL')
}
