import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureProgram } from '../bin/apt.mjs'

const documented = readFileSync(resolve(import.meta.dirname, '../deploy/high-availability/haproxy.cfg'), 'utf8')

/**
 * Starts HAProxy with deploy/high-availability/haproxy.cfg in front of `nodes`, the ports of servers on loopback.
 * `binds` has the addresses with the options of the directive `bind`; `host` is the host of the issuer. With
 * `isEvaluation`, the first node gets the requests for the home page and /dev/, without X-Forwarded-For: the mailbox
 * refuses proxied requests.
 */
export async function startHaproxy(
  folder: string,
  binds: string[],
  nodes: number[],
  host: string,
  isEvaluation = false,
) {
  const program = await ensureProgram('haproxy')
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, configurationFor(binds, nodes, host, isEvaluation))
  const child = spawn(program, ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const ports = binds.map((bind) => Number(/:(\d+)/.exec(bind)?.[1]))
  for (const port of ports)
    while (!(await accepts(port))) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`HAProxy does not start:\n${output}`)
      await sleep(50)
    }
  return {
    async stop() {
      process.off('exit', kill)
      const gone = child.exitCode === null ? once(child, 'close') : undefined
      kill()
      await gone
    },
  }
}

function configurationFor(binds: string[], nodes: number[], host: string, isEvaluation: boolean): string {
  const [before = '', servers = ''] = documented.split(/^(?=\tserver node1 )/m)
  if (servers.trimEnd().split('\n').length !== 3) throw new Error('haproxy.cfg does not have its three nodes.')
  const frontend = before
    .replace(/^\tbind .*$/m, binds.map((bind) => `\tbind ${bind}`).join('\n'))
    .replace('id.example.org', host)
    // The machine of the tests may permit fewer files.
    .replace(/^\tmaxconn .*$/m, '\tmaxconn 4000')
  const own = isEvaluation
    ? `${frontend.replace('option forwardfor', 'option forwardfor except 127.0.0.0/8')}\tuse-server node1 if { path_beg /dev/ } or { path / }\n`
    : frontend
  return `${own}${nodes.map((port, at) => `\tserver node${at + 1} 127.0.0.1:${port}\n`).join('')}`
}

/** Returns whether something listens at a port of loopback. */
export async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
