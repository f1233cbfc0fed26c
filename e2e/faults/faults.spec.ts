import { rm, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from '@playwright/test'
import pg from 'pg'
import { inFull } from '../in-full.ts'
import { blockEventLoop } from './block.ts'
import { crowd } from './crowd.ts'
import type { Driver } from './driver.ts'
import { idle } from './idle.ts'
import { type Cluster, expectHarmless, type Installation, test } from './installation.ts'
import { withoutMailAndDns } from './without-mail-and-dns.ts'

test.describe.configure({ timeout: 300_000 })

const seconds = (count: number) => pause(count * 1000)

/** Faults of several nodes on PostgreSQL. */
const faults: Record<string, (cluster: Cluster) => Promise<void>> = {
  async 'kill -9 of one node'({ provider: { nodes } }) {
    await nodes[0]?.kill()
    await seconds(3)
    await nodes[0]?.restart()
  },
  async 'PostgreSQL ends every connection, ten times'({ databaseUrl }) {
    for (let times = 0; times < 10; times++) {
      await ask(databaseUrl, endOthers)
      await pause(200)
    }
  },
  async 'rolling restart'({ provider: { nodes } }) {
    for (const node of nodes) await node.restart()
  },
  // A suspended process answers nothing, and its other threads stand still too, as on a suspended machine. The proxy
  // answers for it after twelve seconds.
  async 'one node is suspended for 15 s'({ provider: { nodes } }) {
    nodes[0]?.signal('SIGSTOP')
    await seconds(15)
    nodes[0]?.signal('SIGCONT')
  },
  async 'PostgreSQL restarts'({ postgres }) {
    await postgres.restart()
  },
  async 'PostgreSQL crashes and recovers'({ postgres }) {
    await postgres.restart('SIGQUIT')
  },
  async 'PostgreSQL is suspended for 8 s'({ postgres }) {
    postgres.pause(true)
    await seconds(8)
    postgres.pause(false)
  },
  async 'PostgreSQL is read-only for 5 s'({ databaseUrl }) {
    await ask(databaseUrl, 'ALTER SYSTEM SET default_transaction_read_only = on', 'SELECT pg_reload_conf()')
    await seconds(5)
    await ask(databaseUrl, 'ALTER SYSTEM RESET default_transaction_read_only', 'SELECT pg_reload_conf()')
  },
  async 'every connection of PostgreSQL is taken for 5 s'({ databaseUrl }) {
    const taken = await takeConnections(databaseUrl)
    await seconds(5)
    await Promise.all(taken.map((client) => client.end()))
  },
  async 'network to PostgreSQL is cut for 5 s'({ line }) {
    await line.cut()
    await seconds(5)
    await line.mend()
  },
  async 'network to PostgreSQL drops everything for 8 s'({ line }) {
    line.fallSilent('new ones too')
    await seconds(8)
    await line.mend()
  },
}

/** Faults that a node on SQLite has too. */
const everywhere: Record<string, (installation: Installation, driver: Driver) => Promise<void>> = {
  async 'one node is suspended for 8 s'({ provider: { nodes } }) {
    nodes[0]?.signal('SIGSTOP')
    await seconds(8)
    nodes[0]?.signal('SIGCONT')
  },
  // One endless task: unlike a suspended process, the kernel's buffers and the other threads go on.
  async 'event loop of one node is blocked for 15 s'({ provider: { nodes } }) {
    if (nodes[0]) await blockEventLoop(nodes[0], 15)
  },
  '10,000 idle connections to one node for 5 s': ({ provider }) => idle(provider, 10_000),
  '1,000 sign-ins at once': ({ provider }, driver) => crowd(provider, driver, 1000),
  async 'disk full for 5 s'({ full, provider: { database } }, { seen }) {
    const began = performance.now()
    await writeFile(full, '')
    // SQLite writes into the space that its log has already, which needs no other.
    if (database.kind === 'sqlite') {
      const { driver } = database.sqlite
      await expect.poll(() => driver.pragma('wal_checkpoint(TRUNCATE)')).toMatchObject([{ busy: 0n }])
    }
    await seconds(5)
    await rm(full)
    expect(seen.statuses('people', began)).toContain('503')
  },
  'a silent mail server, and no DNS, for 5 s': withoutMailAndDns,
}

/** The faults of `npm test`. */
const short = ['kill -9 of one node', 'PostgreSQL ends every connection, ten times']

for (const [name, run] of Object.entries(faults)) {
  if (!inFull && !short.includes(name)) continue
  test(`loses and doubles nothing: ${name}`, ({ cluster }) =>
    expectHarmless(name, cluster.provider, () => run(cluster)))
}

if (inFull) {
  for (const [name, run] of Object.entries(everywhere)) {
    test(`loses and doubles nothing on PostgreSQL: ${name}`, ({ cluster }) =>
      expectHarmless(name, cluster.provider, (driver) => run(cluster, driver)))
    test(`loses and doubles nothing on SQLite: ${name}`, ({ single }) =>
      expectHarmless(name, single.provider, (driver) => run(single, driver)))
  }
  for (const clock of [600, -600]) {
    const name = `clock of one node ${clock > 0 ? 'ten minutes fast' : 'ten minutes slow'}`
    test(`loses and doubles nothing: ${name}`, async ({ cluster }) => {
      const [node] = cluster.provider.nodes
      if (!node) throw new Error('There is no node.')
      await expectHarmless(name, cluster.provider, async () => {
        node.env.SHIM_CLOCK = String(clock)
        await node.restartUnready()
        await seconds(8)
        node.env.SHIM_CLOCK = ''
        await node.restart()
      })
    })
  }
  test('loses and doubles nothing on SQLite: kill -9', ({ single: { provider } }) =>
    expectHarmless('kill -9 and start again', provider, async () => {
      await provider.nodes[0]?.kill()
      await provider.nodes[0]?.restart()
    }))
}

const endOthers = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`

/** Runs statements in one session, which may write while new sessions are read-only. */
async function ask(url: string, ...statements: string[]) {
  const client = new pg.Client({ connectionString: url, options: '-c default_transaction_read_only=off' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Ends the connections of the nodes and takes all of PostgreSQL's. */
async function takeConnections(url: string): Promise<pg.Client[]> {
  const taken: pg.Client[] = []
  const take = async () => {
    const client = new pg.Client(url)
    client.on('error', () => undefined)
    await client.connect()
    taken.push(client)
  }
  // The first refusal means that none is left.
  const takeRest = () => Promise.all(Array.from({ length: 250 }, () => take().catch(() => undefined)))
  await takeRest()
  const own = taken.map((client) => (client as unknown as { processID: number }).processID)
  await taken[0]?.query(`${endOthers} AND pid <> ALL($1)`, [own])
  await takeRest()
  return taken
}
