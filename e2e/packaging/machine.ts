import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

const checkout = resolve(import.meta.dirname, '../..')

/**
 * A copy of this Debian system for one test: an overlay, whose changes stay in memory. Packages are installed in it with
 * dpkg and their scripts, as on a server.
 */
export class Machine {
  readonly root: string
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
    this.root = join(folder, 'root')
  }

  static open(): Machine {
    const machine = new Machine(mkdtempSync(join(tmpdir(), 'postern-machine-')))
    chmodSync(machine.#folder, 0o755)
    const [changes, root] = [join(machine.#folder, 'changes'), machine.root]
    for (const path of [changes, root]) mkdirSync(path)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'mode=755', 'none', changes])
    for (const name of ['upper', 'work']) mkdirSync(join(changes, name))
    const folders = `lowerdir=/,upperdir=${changes}/upper,workdir=${changes}/work`
    execFileSync('mount', ['-t', 'overlay', 'overlay', '-o', folders, root])
    // Neither the checkout nor the Node of this machine may help the package.
    for (const hidden of [checkout, '/usr/bin/node', '/usr/local/bin/node'])
      rmSync(join(root, hidden), { recursive: true, force: true })
    execFileSync('mount', ['--bind', '/dev', join(root, 'dev')])
    execFileSync('mount', ['-t', 'proc', 'proc', join(root, 'proc')])
    return machine
  }

  /** Runs a command as root of the machine. Returns its stdout; throws with its output when it fails. */
  run(...command: string[]): string {
    return this.runWith(command, { env: {} })
  }

  runWith(command: string[], { env, input = '' }: { env: Record<string, string>; input?: string }): string {
    const path = '/usr/sbin:/usr/bin:/sbin:/bin'
    const done = spawnSync('chroot', [this.root, ...command], {
      env: { PATH: path, ...env } as never,
      input,
      encoding: 'utf8',
    })
    if (done.status === 0) return done.stdout
    throw new Error(`${command.join(' ')} ended with ${done.status}:\n${done.stdout}${done.stderr}`)
  }

  path(...names: string[]): string {
    return join(this.root, ...names)
  }

  close(): void {
    for (const path of [this.path('proc'), this.path('dev'), this.root, join(dirname(this.root), 'changes')])
      spawnSync('umount', ['--lazy', path])
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
