import { type LoadResult, runLoad } from '../load.ts'
import type { Workload } from '../workload.ts'
import { startEmptyPage } from './empty-page.ts'
import { startInstallation } from './installation.ts'
import { type ListedPage, listPages, people } from './listed-pages.ts'
import type { PageRow } from './page-row.ts'
import { renderPages } from './render-pages.ts'
import { formPeople, signInForms } from './sign-in-forms.ts'

export type PageOptions = { seconds: number; runs: number; only?: string | undefined; profile?: string | undefined }

/** The connections of a measurement; each asks for the next page as soon as the last one has arrived. */
const connections = 16

/**
 * Measures every page, and the form of the sign-in without the cost of its hash. The pages take turns, so that a slow
 * minute of the machine affects all of them alike.
 */
export async function measurePages(options: PageOptions, tell: (line: string) => void): Promise<string> {
  const server = await startInstallation([...people, ...formPeople], options.profile)
  const { pid = 0 } = server
  const empty = await startEmptyPage()
  try {
    const listed = (await listPages(server)).map((page) => rowOf(pid, page))
    const rows = [empty.row, ...listed, ...signInForms(server)]
    const chosen = rows.filter(({ name }) => !options.only || name.includes(options.only))
    // The first turn warms the server up.
    for (let run = 0; run <= options.runs; run++)
      for (const row of chosen) {
        const result = await measureOnce(row, options.seconds)
        if (run > 0) row.results.push(result)
        tell(
          `run ${run}/${options.runs}, ${row.name}: p50 ${result.p50.toFixed(1)} ms, p99 ${result.p99.toFixed(1)} ms`,
        )
      }
    return renderPages(chosen)
  } finally {
    await empty.stop()
    await server.remove()
  }
}

function rowOf(pid: number, { name, url, cookie, status, bytes }: ListedPage): PageRow {
  const path = url.pathname + url.search
  const workload: Workload = { method: 'GET', path, headers: { cookie }, status, mustContain: '</html>' }
  return { name, pid, workload, url, bytes, results: [] }
}

const measureOnce = ({ pid, workload, url }: PageRow, seconds: number): Promise<LoadResult> =>
  runLoad({
    server: { port: Number(url.port), host: url.host, pid },
    workload,
    connections,
    warmUpSeconds: 1,
    seconds,
  })
