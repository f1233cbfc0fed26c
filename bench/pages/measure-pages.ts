import { type LoadResult, runLoad } from '../load.ts'
import type { Workload } from '../workload.ts'
import { startEmptyPage } from './empty-page.ts'
import { startInstallation } from './installation.ts'
import { type ListedPage, listPages, people } from './listed-pages.ts'
import type { MeasuredPage, PageRow } from './page-row.ts'
import { renderPages } from './render-pages.ts'
import { formPeople, signInForms } from './sign-in-forms.ts'

export type PageOptions = { seconds: number; runs: number; only?: string | undefined; profile?: string | undefined }

/** The connections of a measurement; each asks for the next page as soon as the last one has arrived. */
const connections = 16

/**
 * Measures every page, and the form of the sign-in without the cost of its hash. The pages take turns, so that a slow
 * minute of the machine affects all of them alike. Each run has a server and browsers of its own: a page in the middle of
 * a flow is a redirect some minutes later.
 */
export async function measurePages(options: PageOptions, tell: (line: string) => void): Promise<string> {
  const measured = new Map<string, MeasuredPage>()
  const empty = await startEmptyPage()
  try {
    for (let run = 1; run <= options.runs; run++)
      await measureRun(options, empty.row, ({ name, bytes }, result) => {
        measured.set(name, { name, bytes, results: [...(measured.get(name)?.results ?? []), result] })
        const [p50, p99] = [result.p50, result.p99].map((value) => value.toFixed(1))
        tell(`run ${run}/${options.runs}, ${name}: p50 ${p50} ms, p99 ${p99} ms`)
      })
  } finally {
    await empty.stop()
  }
  return renderPages([...measured.values()])
}

/** Measures each page once, after a turn that warms the server up. */
async function measureRun(options: PageOptions, empty: PageRow, done: (row: PageRow, result: LoadResult) => void) {
  const server = await startInstallation([...people, ...formPeople], options.profile)
  const { pid = 0 } = server
  try {
    const listed = (await listPages(server)).map((page) => rowOf(pid, page))
    const rows = [empty, ...listed, ...signInForms(server)]
    const chosen = rows.filter(({ name }) => !options.only || name.includes(options.only))
    for (const row of chosen) await measureOnce(row, 1)
    for (const row of chosen) done(row, await measureOnce(row, options.seconds))
  } finally {
    await server.remove()
  }
}

function rowOf(pid: number, { name, url, cookie, shows, status, bytes }: ListedPage): PageRow {
  const path = url.pathname + url.search
  const workload = async (): Promise<Workload> => {
    const headers = { cookie: await cookie() }
    return { method: 'GET', path, headers, status, mustContain: shows }
  }
  return { name, pid, workload, url, bytes }
}

const measureOnce = async ({ pid, workload, url }: PageRow, seconds: number): Promise<LoadResult> =>
  runLoad({
    server: { port: Number(url.port), host: url.host, pid },
    workload: await workload(),
    connections,
    warmUpSeconds: 1,
    seconds,
  })
