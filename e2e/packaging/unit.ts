import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Machine } from './machine.ts'

export const unitFile = resolve(import.meta.dirname, '../../deploy/systemd/postern.service')

/**
 * Returns the values of the unit's settings; a setting that is repeated has several. A drop-in adds to them, and an empty
 * value takes all earlier ones back.
 */
export function readUnit(machine: Machine): (name: string) => string[] {
  const files = ['usr/lib/systemd/system/postern.service', dropIn].map((file) => machine.path(file))
  const lines = files.filter(existsSync).flatMap((file) => readFileSync(file, 'utf8').split('\n'))
  return (name) => {
    const values = lines.flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1)] : []))
    return values.slice(values.lastIndexOf('') + 1)
  }
}

/** The file that `systemctl edit postern` writes. */
export const dropIn = 'etc/systemd/system/postern.service.d/override.conf'

/**
 * Starts a command in the sandbox of the unit, which bubblewrap builds as systemd does: a read-only system, a private
 * /tmp and /dev, no capabilities, no new privileges, its own users and processes, and the same system calls. The limits
 * of control groups, and ProtectKernel… beyond the read-only system, are not there.
 */
export function spawnInUnit(machine: Machine, command: string[]) {
  const unit = readUnit(machine)
  const [state] = unit('StateDirectory')
  const [user = ''] = unit('User')
  const program = openSync(writeFilter(machine, unit), 'r')
  const view = [
    ['--ro-bind', machine.root, '/'],
    ['--dev', '/dev'],
    ['--proc', '/proc'],
    ['--tmpfs', '/tmp'],
    ['--tmpfs', '/root'],
    ['--tmpfs', '/home'],
    ['--bind', machine.path('var/lib', state ?? ''), `/var/lib/${state}`],
    ...unit('ReadWritePaths').map((path) => ['--bind-try', machine.path(path.replace('-', '')), path.replace('-', '')]),
    unit('LoadCredential').length > 0
      ? ['--ro-bind', machine.path('run/credentials'), '/run/credentials']
      : ['--tmpfs', '/run/credentials'],
    ['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--die-with-parent', '--new-session'],
    ['--cap-drop', 'ALL', '--chdir', unit('WorkingDirectory')[0] ?? '/', '--seccomp', '3'],
  ].flat()
  const as = [
    '--reuid',
    idOf(machine, user, 'u'),
    '--regid',
    idOf(machine, user, 'g'),
    '--clear-groups',
    '--no-new-privs',
  ]
  const own = unit('Environment').map((one) => one.replace('%d', '/run/credentials').split('='))
  const env = {
    PATH: '/usr/bin:/bin',
    CREDENTIALS_DIRECTORY: '/run/credentials',
    ...Object.fromEntries(own),
    ...readSettings(machine),
  }
  return spawn('setpriv', [...as, 'bwrap', ...view, '--', ...command], {
    env: env as never,
    stdio: ['ignore', 'pipe', 'pipe', program],
  })
}

/** Starts the unit's ExecStart and waits until it is ready. */
export async function startUnit(machine: Machine, metrics: string) {
  const [command = ''] = readUnit(machine)('ExecStart')
  const child = spawnInUnit(machine, command.split(' '))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += chunk
    })
  const deadline = Date.now() + 60_000
  const isReady = () =>
    fetch(`http://${metrics}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    )
  while (!(await isReady())) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`The unit did not become ready:\n${output}`)
    await sleep(50)
  }
  return {
    output: () => output,
    /** Sends SIGTERM to the server, as systemd does with KillMode=mixed. Returns how the sandbox ended. */
    async stop(): Promise<number | null> {
      const gone = once(child, 'exit')
      process.kill(serverOf(child.pid ?? 0), 'SIGTERM')
      const [code] = await gone
      return code
    },
  }
}

/** Returns the process id of the last process of a chain of only children: the server inside the sandbox. */
function serverOf(pid: number): number {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  return child ? serverOf(Number(child)) : pid
}

const idOf = (machine: Machine, user: string, which: 'u' | 'g') => machine.run('id', `-${which}`, user).trim()

/** Returns the settings of the unit's EnvironmentFile. */
function readSettings(machine: Machine): Record<string, string> {
  const text = readFileSync(machine.path('etc/postern/postern.env'), 'utf8')
  return Object.fromEntries([...text.matchAll(/^([A-Z_]+)=(.+)$/gm)].map(([, name, value]) => [name, value]))
}

function writeFilter(machine: Machine, unit: (name: string) => string[]): string {
  const filters = unit('SystemCallFilter')
  const groups = (isDenied: boolean) =>
    filters.filter((one) => one.startsWith('~') === isDenied).flatMap((one) => one.replace('~', '').split(' '))
  const families = unit('RestrictAddressFamilies').flatMap((one) => one.split(' '))
  const script = join(import.meta.dirname, 'write_filter.py')
  const args = [script, ...groups(false), '--without', ...groups(true), '--families', ...families]
  const file = machine.path('run/filter.bpf')
  writeFileSync(file, execFileSync('/usr/bin/python3', args))
  return file
}
