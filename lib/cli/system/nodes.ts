import type { Command } from '#lib/cli/command'
import { withDatabase } from '#lib/cli/open'
import { table } from '#lib/cli/table'
import { type NodeRow, nodeStore } from '#lib/db/nodes/node-store'

/** Lists the processes of the installation. */
export const nodeCommands: Command[] = [
  {
    usage: 'nodes',
    summary: 'List the running processes: host, version, roles, last heartbeat and difference of the clock',
    run: (call) =>
      withDatabase(call, async (database) => {
        const nodes = await nodeStore(database).list()
        const heading = ['id', 'host', 'pid', 'state', 'version', 'roles', 'started', 'heartbeat', 'clock']
        return { ok: true, value: nodes.map(wire), text: table(heading, nodes.map(line)) }
      }),
  },
]

const stateOf = ({ isAlive, isDraining }: NodeRow) => (isAlive ? (isDraining ? 'draining' : 'alive') : 'dead')

const line = (node: NodeRow) => [
  node.id.slice(0, 8),
  node.hostName,
  String(node.pid),
  stateOf(node),
  node.version,
  node.roles.join(','),
  node.startedAt.toISOString(),
  `${node.silent} s ago`,
  `${signed(node.clockAhead)} s`,
]

/** Without a sign for a difference below the precision. */
const signed = (seconds: number) => {
  const text = Math.abs(seconds).toFixed(1)
  return text === '0.0' ? text : `${seconds > 0 ? '+' : '-'}${text}`
}

const wire = (node: NodeRow) => ({
  id: node.id,
  host: node.hostName,
  pid: node.pid,
  state: stateOf(node),
  version: node.version,
  roles: node.roles,
  started: node.startedAt,
  heartbeat_age: node.silent,
  clock_ahead: Math.round(node.clockAhead * 1000) / 1000,
})
