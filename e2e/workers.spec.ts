import { Agent, type IncomingMessage, request } from 'node:http'
import { freshDatabaseUrl } from '#lib/testing/databases/postgres-server'
import { expect, test } from './postern.ts'
import { ServerProcess } from './server-process.ts'

const workers = 2

/** Starts workers on PostgreSQL. */
async function start(adminUrl: string) {
  const own = { DATABASE_URL: await freshDatabaseUrl(adminUrl), SMTP_URL: 'smtp://127.0.0.1:9' }
  const server = await ServerProcess.start({ WORKERS: String(workers), ...own })
  const pids = async (): Promise<number[]> =>
    JSON.parse(await server.cli('nodes', '--json')).map(({ pid }: { pid: number }) => pid)
  await untilReady(server, workers)
  return { server, pids, first: await pids() }
}

/** Waits until so many workers have become ready since the start. */
const untilReady = (server: ServerProcess, count: number) =>
  expect.poll(() => server.logs().match(/"ready: /g)?.length, { timeout: 60_000 }).toBe(count)

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('replaces a killed worker, answers every request of other connections, and counts for all workers', async ({
  postgres,
}) => {
  const { server, pids, first } = await start((await postgres()).url)
  const url = `${server.issuer}/userinfo`
  const clients = Array.from({ length: 16 }, () => keepAsking(url))
  await expect.poll(() => Math.min(...clients.map(({ statuses }) => statuses.length))).toBeGreaterThan(5)
  const [victim = 0] = first
  // A worker that is stuck takes no new connection.
  process.kill(victim, 'SIGSTOP')
  const others = await Promise.all(Array.from({ length: 20 }, () => get(url)))
  expect(new Set(others.map(({ statusCode }) => statusCode))).toEqual(new Set([401]))
  process.kill(victim, 'SIGKILL')
  await untilReady(server, workers + 1)
  expect(await pids()).toHaveLength(workers + 1)
  const counts = clients.map(({ statuses }) => statuses.length)
  await expect.poll(() => clients.every(({ statuses }, at) => statuses.length > (counts[at] ?? 0) + 5)).toBe(true)
  await Promise.all(clients.map((client) => client.stop()))
  for (const { statuses, faults } of clients) {
    expect(new Set(statuses)).toEqual(new Set([401]))
    // A connection of the killed worker ends once; the next request has another worker.
    expect(faults.length, faults.join()).toBeLessThanOrEqual(1)
  }
  expect(server.logs()).toContain('a worker ended; the next one starts')
  for (const pid of first) expect(server.logs()).toMatch(new RegExp(`"pid":${pid},.*"ready: `))

  const before = await requestsCounted(server)
  for (let sent = 0; sent < 10; sent++) expect((await get(url)).statusCode).toBe(401)
  expect(await requestsCounted(server)).toBe(before + 10)
  expect(await server.stop()).toBe(0)
  // Only the row of the killed worker is left.
  expect(await pids()).toEqual([victim])
  await server.remove()
})

test('answers no metrics while no worker does, so that the alert about a dead server fires', async ({ postgres }) => {
  const { server, first } = await start((await postgres()).url)
  for (const pid of first) process.kill(pid, 'SIGSTOP')
  expect((await fetch(server.metricsUrl)).status).toBe(503)
  for (const pid of first) process.kill(pid, 'SIGCONT')
  await expect.poll(async () => (await fetch(server.metricsUrl)).status).toBe(200)
  expect(await server.stop()).toBe(0)
  await server.remove()
})

test('ends the workers when the parent is killed', async ({ postgres }) => {
  const { server, first } = await start((await postgres()).url)
  expect(first.map(isAlive)).toEqual([true, true])
  await server.kill()
  await expect.poll(() => first.some(isAlive)).toBe(false)
  await server.remove()
})

test('reports a wrong setting once and exits with code 1', async () => {
  const settings = { WORKERS: '2', DATABASE_URL: 'postgresql://127.0.0.1:1/none', SMTP_URL: 'smtp://127.0.0.1:9' }
  const fault = await ServerProcess.start(settings).catch(String)
  expect(String(fault).match(/DATABASE_URL cannot be reached/g)).toHaveLength(1)
})

test('runs one process on SQLite and says why', async () => {
  const server = await ServerProcess.start({ WORKERS: 'auto' })
  expect(JSON.parse(await server.cli('nodes', '--json'))).toMatchObject([{ pid: server.pid }])
  expect(server.logs()).toContain('one process runs: SQLite has one writer')
  expect(await server.stop()).toBe(0)
  await server.remove()
})

async function requestsCounted(server: ServerProcess): Promise<number> {
  const text = await (await fetch(server.metricsUrl)).text()
  const line = /^postern_http_requests_total\{.*route="\/userinfo".*\} (\d+)$/m.exec(text)
  return Number(line?.[1])
}

/** Sends a request that must have an answer within ten seconds. */
function get(url: string, agent?: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent: agent ?? false, signal: AbortSignal.timeout(10_000) }, (answer) => {
      answer.resume().once('end', () => resolve(answer))
    })
    sent.once('error', reject).end()
  })
}

/** Asks on one connection, and on a new one when it ends. */
function keepAsking(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const [statuses, faults]: [(number | undefined)[], string[]] = [[], []]
  let isOver = false
  const ask = async (): Promise<void> => {
    if (isOver) return
    await get(url, agent).then(
      ({ statusCode }) => void statuses.push(statusCode),
      (fault: Error) => void faults.push(fault.message),
    )
    return ask()
  }
  const asked = ask()
  return {
    statuses,
    faults,
    async stop() {
      isOver = true
      await asked
      agent.destroy()
    },
  }
}
