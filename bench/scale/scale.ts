import { type Installation, kinds, makeInstallation } from '../endurance/installation.ts'
import { type LoadResult, runLoad } from '../load.ts'
import { median } from '../measure.ts'
import { spendCodes } from '../postern-stock.ts'
import type { Workload } from '../workload.ts'
import { type Figures, figuresOf, inWords, rate } from './figures.ts'
import { add, type Filled, fill, refill, withDatabase } from './fill.ts'
import { describeFootprint } from './footprint.ts'
import { type Counts, countPages } from './pages.ts'
import { comparePlaces } from './places.ts'
import { readFiles } from './read-files.ts'
import { codeOf, draw, type Filling, inRandomOrder, refreshTokenOf, type Wanted } from './values.ts'

export type Wishes = { people: number; authorizations: number; seconds: number; runs: number; connections: number }
type Tell = (line: string) => void
type Server = Awaited<ReturnType<Installation['start']>>

/** A running server, and how to get values that its requests use. */
type Side = {
  name: string
  installation: Installation
  server: Server
  filled: Filled
  startSeconds: number
  /** Returns the numbers of authorizations that no earlier request used. */
  take(count: number, wanted: Wanted): Promise<number[]>
}

/** The cache of each of the two PostgreSQL servers, for a machine with 24 GiB like that of docs/benchmarks.md. */
const sharedBuffers = '4GB'

/**
 * Compares requests to a server whose database holds many people and authorizations with those to one that holds
 * little more than the rows that the requests use. Draws 80 % of the values from the newest tenth of the rows.
 */
export async function measureScale(wishes: Wishes, only: string | undefined, tell: Tell): Promise<string> {
  const tables: string[] = []
  for (const kind of kinds.filter((kind) => !only || kind.includes(only))) {
    const installations: Installation[] = []
    const sides: Side[] = []
    const make = async () => {
      const installation = await makeInstallation(kind, { sharedBuffers })
      installations.push(installation)
      return installation
    }
    try {
      sides.push(await openEmpty(await make(), wishes, tell))
      sides.push(await openFull(await make(), wishes, tell))
      const [empty, full] = sides as [Side, Side]
      const rows = await compare(kind, { empty, full }, wishes, tell)
      const pages = await comparePages(empty, full)
      tables.push([...rows, '', ...pages, '', await describeFootprint(full.installation)].join('\n'))
    } finally {
      for (const { server } of sides) await server.process.stop()
      for (const installation of installations) await installation.remove()
    }
  }
  return tables.join('\n\n')
}

const small = { people: 1000, from: 0, authorizations: 1000, days: 80 }

async function openEmpty(installation: Installation, wishes: Wishes, tell: Tell): Promise<Side> {
  let filling: Filling = { ...small, codesEvery: 0 }
  const filled = await withDatabase(installation, (database) => fill(database, filling))
  const started = await startServer(installation, wishes, tell)
  return {
    ...{ name: 'empty', installation, filled, ...started },
    async take(count, wanted) {
      const from = filling.from + filling.authorizations
      filling = { ...small, from, authorizations: count, codesEvery: wanted === 'refreshTokens' ? 0 : 1 }
      await withDatabase(installation, (database) => refill(database, filling, filled))
      const numbers = Array.from({ length: count }, (_, index) => from + index)
      // Eight neighbours share a page of SQLite. Apps exchange new codes in the order of approval, but do not refresh in it.
      return wanted === 'newCodes' ? numbers : inRandomOrder(numbers)
    },
  }
}

async function openFull(installation: Installation, wishes: Wishes, tell: Tell): Promise<Side> {
  const { people, authorizations } = wishes
  const filling: Filling = { people, from: 0, authorizations, codesEvery: 4, days: 80 }
  const began = performance.now()
  const filled = await withDatabase(installation, (database) => fill(database, filling))
  tell(`${installation.kind}: filled in ${((performance.now() - began) / 1000).toFixed(0)} s`)
  const started = await startServer(installation, wishes, tell)
  const used = new Set<number>()
  let next = authorizations
  return {
    ...{ name: 'full', installation, filled, ...started },
    async take(count, wanted) {
      if (wanted !== 'newCodes') return draw(filling, count, wanted, used)
      const from = next
      next += count
      const added = { people, from, authorizations: count, codesEvery: 1, days: 0 }
      await withDatabase(installation, (database) => add(database, added, filled))
      return Array.from({ length: count }, (_, index) => from + index)
    },
  }
}

/** Starts a server as often as each row runs. Returns the last one, and the median of the seconds until it served. */
async function startServer(installation: Installation, { runs }: Wishes, tell: Tell) {
  const seconds: number[] = []
  for (;;) {
    const began = performance.now()
    const server = await installation.start()
    seconds.push((performance.now() - began) / 1000)
    tell(`${installation.kind}: serves after ${seconds.at(-1)?.toFixed(1)} s`)
    if (seconds.length === runs) return { server, startSeconds: median(seconds) }
    await server.process.stop()
  }
}

async function takeValues({ installation, take }: Side, count: number, wanted: Wanted): Promise<string[]> {
  const numbers = await take(count, wanted)
  return numbers.map((number) =>
    wanted === 'refreshTokens' ? refreshTokenOf(installation.keys, number) : codeOf(number),
  )
}

/** The number of access tokens in use. Postern remembers the verified signatures of the last 10,000. */
const liveTokens = 8_000

type Row = { name: string; firstWarmUp?: number; workload(side: Side, requests: number): Promise<Workload> }

/**
 * Seconds of load before a row that uses the same tokens again and again. Each process of PostgreSQL maps each page of the shared
 * cache when it first uses it. A server that has run for some time has done so.
 */
const firstWarmUp = 20

async function compare(kind: string, { empty, full }: Record<'empty' | 'full', Side>, wishes: Wishes, tell: Tell) {
  const tokens = new Map<Side, string[]>()
  for (const side of [empty, full]) tokens.set(side, await accessTokens(side))
  const lines = [
    `| ${kind} | empty, requests/s | full, requests/s | empty, CPU s / 1,000 | full, CPU s / 1,000 | empty, p99 ms | full, p99 ms | rate, empty ÷ full | CPU, full ÷ empty |`,
    '| --- | --: | --: | --: | --: | --: | --: | --: | --: |',
  ]
  const places: string[] = []
  for (const row of rowsWith(tokens)) {
    const results = new Map<Side, LoadResult[]>([empty, full].map((side) => [side, []]))
    // The first turn compiles the code and maps the pages of the file.
    for (let run = 0; run <= wishes.runs; run++)
      for (const side of [empty, full]) {
        const earlier = results.get(side) as LoadResult[]
        const result = await measureOnce(row, side, earlier, wishes, run === 0 ? row.firstWarmUp : undefined)
        if (run > 0) earlier.push(result)
        tell(`${kind}, ${row.name}, run ${run}/${wishes.runs}, ${side.name}: ${Math.round(rate(result))} requests/s`)
      }
    const pair = [empty, full].map((side) => figuresOf(results.get(side) as LoadResult[])) as [Figures, Figures]
    const cells = (['rate', 'cpu', 'p99'] as const).flatMap((name) => pair.map((one) => inWords(name, one[name])))
    const ratios = [pair[0].rate / pair[1].rate, pair[1].cpu / pair[0].cpu].map((ratio) => `${ratio.toFixed(2)} ×`)
    lines.push(`| ${[row.name, ...cells, ...ratios].join(' | ')} |`)
    tell(lines.at(-1) as string)
    const loads = [empty, full].map((side) => ({
      pid: side.server.process.pid,
      load: () => measureOnce(row, side, results.get(side) as LoadResult[], wishes, 0),
    }))
    places.push(...(await comparePlaces(row.name, loads)))
  }
  const [one, other] = [empty, full].map(({ startSeconds }) => startSeconds.toFixed(1))
  const times = ['| µs of a request | empty | full |', '| --- | --: | --: |', ...places]
  return [
    ...lines,
    '',
    ...times,
    '',
    `A start takes ${one} s with the empty database and ${other} s with the full one.`,
  ]
}

/** Compares what does not depend on the load of the machine: the pages of the database that a request touches. */
async function comparePages(empty: Side, full: Side): Promise<string[]> {
  const counts: Counts[][] = []
  for (const { installation, take } of [empty, full])
    counts.push(await withDatabase(installation, (database) => countPages(database, (wanted) => take(100, wanted))))
  const [few = [], many = []] = counts
  return [
    '| request | empty, pages read | full, pages read | empty, written | full, written |',
    '| --- | --- | --- | --- | --- |',
    ...few.map((one, index) => {
      const other = many[index] as Counts
      return `| ${[one.request, one.read, other.read, one.written, other.written].join(' | ')} |`
    }),
  ]
}

async function measureOnce(row: Row, side: Side, earlier: LoadResult[], wishes: Wishes, warmUpSeconds = 1) {
  const { seconds, connections } = wishes
  const expected = Math.max(4000, ...earlier.map(rate)) * 1.3
  const workload = await row.workload(side, Math.ceil(expected * (warmUpSeconds + seconds)))
  const { port, host, process } = side.server
  readFiles(side.installation.files)
  return runLoad({ seconds, connections, warmUpSeconds, workload, server: { port, host, pid: process.pid } })
}

async function accessTokens(side: Side): Promise<string[]> {
  const { server, filled } = side
  const { client, verifier, redirectUri, scopes } = filled
  const stock = { values: await takeValues(side, liveTokens, 'codes'), client, redirectUri, scope: scopes, verifier }
  return spendCodes(`http://${server.host}${server.endpoints.token}`, stock, 'userinfoTokens')
}

function rowsWith(tokens: Map<Side, string[]>): Row[] {
  const live = (side: Side) => tokens.get(side) as string[]
  return [
    {
      name: 'userinfo',
      firstWarmUp,
      workload: async (side) => ({
        ...{ method: 'GET', path: side.server.endpoints.userinfo, headers: { authorization: 'Bearer {value}' } },
        ...{ values: live(side), use: 'cycle', mustContain: '"sub"' },
      }),
    },
    {
      name: 'introspection',
      firstWarmUp,
      workload: async (side) => ({
        ...asClient(side, side.server.endpoints.introspection, 'token={value}'),
        ...{ values: live(side), use: 'cycle', mustContain: '"active":true' },
      }),
    },
    {
      name: 'refresh',
      workload: async (side, requests) => ({
        ...asClient(side, side.server.endpoints.token, 'grant_type=refresh_token&refresh_token={value}'),
        ...{ values: await takeValues(side, requests, 'refreshTokens'), use: 'once', mustContain: '"id_token"' },
      }),
    },
    { name: 'exchange of a new code', workload: exchange('newCodes') },
    { name: 'exchange of an old code', workload: exchange('codes') },
  ]
}

const exchange =
  (wanted: 'codes' | 'newCodes') =>
  async (side: Side, requests: number): Promise<Workload> => ({
    ...asClient(side, side.server.endpoints.token, `${codeForm(side)}&code={value}`),
    ...{ values: await takeValues(side, requests, wanted), use: 'once', mustContain: '"id_token"' },
  })

const codeForm = ({ filled: { redirectUri, verifier } }: Side) =>
  new URLSearchParams({ grant_type: 'authorization_code', redirect_uri: redirectUri, code_verifier: verifier })

function asClient({ filled: { client } }: Side, path: string, body: string) {
  const authorization = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`
  return { method: 'POST', path, headers: { authorization }, body } as const
}
