import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { type NodeStore, nodeStore } from '#lib/db/nodes/node-store'
import { contractWatch } from '#lib/db/nodes/unknown-contract'
import type { Context } from '#lib/server/compose/context'
import { inTime } from '#lib/server/observe/readiness'
import { type ClockVerdict, judgeClock } from './judge-clock.ts'
import { ownVersion } from './own-version.ts'

/** Milliseconds between two heartbeats; each has the time limit of the readiness probe. */
const period = 10_000

type NodeParts = Pick<Context, 'database' | 'config' | 'log' | 'metrics' | 'now'>

/** This process among the processes of the installation: its row in the database, and its own faults. */
export type OwnNode = {
  /** Writes a heartbeat. Never rejects. */
  beat(): Promise<void>
  /** Returns why this process must not serve; undefined while it may. */
  unfit(): string | undefined
  /** Tells the other nodes that this one is about to end. */
  drain(): Promise<void>
  /** Stops the heartbeat and removes the row. */
  leave(): Promise<void>
}

/** Registers this process and keeps its row up to date. An outage of the database only delays that. */
export async function openNode(parts: NodeParts, migrations?: string): Promise<OwnNode> {
  const { database, config, log } = parts
  const store = nodeStore(database)
  const readUnknown = contractWatch(database, migrations)
  const self = { id: randomUUID(), hostName: hostname(), pid: process.pid, version: ownVersion(), roles: config.roles }
  const clock = watchClock(parts, self.hostName)
  let [unknown, isDraining, isFailing]: [string | undefined, boolean, boolean] = [undefined, false, false]
  const once = async () => {
    // First, because a contract migration may change the table of the heartbeats.
    unknown = await readUnknown()
    clock.judge(await store.beat({ ...self, uptime: process.uptime(), now: parts.now(), isDraining }))
  }
  const attempt = async () => {
    try {
      await inTime(once())
      isFailing = false
    } catch (err) {
      // One line for each outage.
      if (!isFailing) log.warn({ err }, 'the heartbeat could not be written')
      isFailing = true
    }
  }
  let running: Promise<void> | undefined
  const beat = () => {
    running ??= attempt().finally(() => {
      running = undefined
    })
    return running
  }
  await beat()
  const timer = setInterval(beat, period)
  return {
    beat,
    unfit: () => clock.fault() ?? (unknown && `migration ${unknown} needs a newer version than this one`),
    async drain() {
      isDraining = true
      await running
      await beat()
    },
    async leave() {
      clearInterval(timer)
      await running
      await inTime(store.remove(self.id)).catch((err: unknown) => log.warn({ err }, 'the row of this node stays'))
    },
  }
}

const alarms = {
  'node-off': 'the clock of this node differs from those of the database and of the other nodes',
  'database-off': 'the clock of the database differs from those of this node and of the other nodes',
  alone: 'the clocks of this node and of the database differ',
}

type Clocks = Awaited<ReturnType<NodeStore['beat']>>

/** Keeps the last verdict about the clock of this process, and reports each change of it. */
function watchClock({ log, metrics }: NodeParts, hostName: string) {
  let last: { verdict: ClockVerdict; ahead: number } = { verdict: 'right', ahead: 0 }
  return {
    judge({ ahead, others }: Clocks) {
      metrics.clockDifference.set(ahead)
      const verdict = judgeClock({ hostName, ahead }, others)
      const seconds = Math.round(ahead)
      if (verdict !== 'right' && verdict !== last.verdict) log.error({ seconds }, alarms[verdict])
      if (verdict === 'right' && last.verdict !== 'right') log.info({ seconds }, 'the clocks agree again')
      last = { verdict, ahead }
    },
    fault() {
      const { verdict, ahead } = last
      if (verdict !== 'node-off') return undefined
      const side = ahead > 0 ? 'ahead of' : 'behind'
      return `the clock of this node is ${Math.abs(Math.round(ahead))} seconds ${side} the database's, and differs from the other nodes'`
    },
  }
}
