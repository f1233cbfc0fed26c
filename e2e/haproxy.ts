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
  const server = /^\tserver node(\d) .*\n/gm
  if (documented.match(server)?.length !== 6) throw new Error('haproxy.cfg does not have its three nodes twice.')
  const own = documented
    .replace(/^\tbind .*$/m, binds.map((bind) => `\tbind ${bind}`).join('\n'))
    .replace('id.example.org', host)
    // The machine of the tests may permit fewer files.
    .replace(/^\tmaxconn .*$/m, '\tmaxconn 4000')
    .replace(server, (_, number) =>
      nodes[number - 1] ? `\tserver node${number} 127.0.0.1:${nodes[number - 1]}\n` : '',
    )
  if (!isEvaluation) return own
  return own
    .replace('option forwardfor', 'option forwardfor except 127.0.0.0/8')
    .replace(/(?=^\tserver node1 )/gm, '\tuse-server node1 if { path_beg /dev/ } or { path / }\n')
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
