// Replaces the current process with the Node 24 program of a command.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { environment, findNode } from './find-node.mjs'
import { root } from './prepare.mjs'

/**
 * Replaces this process with Node 24 running `file`. Where the system does not support that, runs it as a child and
 * forwards signals.
 */
export function handOver(file, args, { flags = [], env: extra = {} } = {}) {
  const node = findNode(root)
  const env = environment(root, extra)
  const settings = join(root, '.env')
  // Variables of the environment override the file.
  const command = [...(existsSync(settings) ? [`--env-file=${settings}`] : []), ...flags, file, ...args]
  if (process.execve && process.platform !== 'win32') process.execve(node, [node, ...command], env)
  const child = spawn(node, command, { stdio: 'inherit', env, cwd: root })
  // On a terminal, Ctrl-C already reaches the child, which shares the process group. A second SIGINT would cut its
  // shutdown short.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => child.kill(signal))
  child.on('error', (fault) => {
    process.stderr.write(`${node}: ${fault.message}\n`)
    process.exit(1)
  })
  child.on('close', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}
