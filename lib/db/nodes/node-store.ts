import type { Database } from '#lib/db/engine/client'
import { statementsOf, toDate } from '#lib/db/engine/statements'
import { databaseClock, readDatabaseClock } from '#lib/db/jobs/database-clock'

/** What a process reports of itself; `uptime` in seconds, `now` by its own clock. */
export type Beat = {
  id: string
  hostName: string
  pid: number
  version: string
  roles: string[]
  uptime: number
  now: Date
  isDraining: boolean
}

/** A process as operators see it; `silent` is the number of seconds since its last heartbeat. */
export type NodeRow = Omit<Beat, 'uptime' | 'now'> & {
  startedAt: Date
  clockAhead: number
  silent: number
  isAlive: boolean
}

/** Seconds after the last heartbeat in which a node counts as alive: three heartbeats. */
const alive = 30

export type NodeStore = ReturnType<typeof nodeStore>

/** Stores a row for each running process. All its times are by the clock of the database. */
export function nodeStore(database: Database) {
  const { prisma, kind } = database
  const statements = statementsOf(database)
  const beatStatement = { name: 'node-beat', sql: beatSql(kind) }
  const aliveSince = (now: Date) => new Date(now.getTime() - alive * 1000)
  return {
    /**
     * Writes the row of a node. Returns how many seconds the clock of the node, and the clocks of the other live nodes,
     * are ahead of the database's.
     */
    async beat(node: Beat): Promise<{ ahead: number; others: { hostName: string; ahead: number }[] }> {
      const { id, hostName, pid, version, roles, uptime, now, isDraining } = node
      const values = [id, hostName, pid, version, roles.join(','), uptime, now.getTime() / 1000, isDraining]
      const row = await statements.write(beatStatement, values)
      const since = aliveSince(toDate(row?.beatAt) as Date)
      const where = { id: { not: id }, beatAt: { gt: since } }
      const others = await prisma.node.findMany({ where, select: { hostName: true, clockAhead: true }, take: most })
      return {
        ahead: Number(row?.clockAhead),
        others: others.map((other) => ({ hostName: other.hostName, ahead: other.clockAhead })),
      }
    },
    async remove(id: string): Promise<void> {
      await prisma.node.deleteMany({ where: { id } })
    },
    /** Lists the nodes, those that ended without a goodbye in the last hour included. */
    async list(): Promise<NodeRow[]> {
      const now = await readDatabaseClock(database)
      const rows = await prisma.node.findMany({ orderBy: [{ hostName: 'asc' }, { startedAt: 'asc' }], take: most })
      return rows.map(({ beatAt, roles, ...row }) => ({
        ...row,
        roles: roles.split(','),
        silent: Math.max(0, Math.round((now.getTime() - beatAt.getTime()) / 1000)),
        isAlive: beatAt > aliveSince(now),
      }))
    },
  }
}

const most = 1000

/** The present by the clock of the database in seconds since 1970. */
const seconds = { sqlite: `unixepoch('subsec')`, postgresql: 'extract(epoch FROM clock_timestamp())::float8' }

/** One upsert. A row that was swept while its node could not write comes back with the next heartbeat. */
function beatSql(kind: Database['kind']): string {
  const { now } = databaseClock(kind)
  const startedAt =
    kind === 'sqlite' ? `${now} - CAST($6 * 1000 AS INTEGER)` : `${now} - make_interval(secs => $6::float8)`
  const own = kind === 'sqlite' ? '$7' : '$7::float8'
  return `INSERT INTO "Node"
    (id, "hostName", pid, version, roles, "startedAt", "beatAt", "clockAhead", "isDraining")
    VALUES ($1, $2, $3, $4, $5, ${startedAt}, ${now}, ${own} - ${seconds[kind]}, $8)
    ON CONFLICT (id) DO UPDATE SET "beatAt" = excluded."beatAt", "clockAhead" = excluded."clockAhead",
      "isDraining" = excluded."isDraining"
    RETURNING "beatAt", "clockAhead"`
}
