import type { LoadResult } from '../load.ts'
import type { Workload } from '../workload.ts'

/** A page or a form, the process that serves it, and the requests of a measurement. `bytes` is the size of the page. */
export type PageRow = {
  name: string
  pid: number
  workload: () => Workload | Promise<Workload>
  url: URL
  bytes: number | undefined
}

/** What the runs have measured of a page or a form. */
export type MeasuredPage = Pick<PageRow, 'name' | 'bytes'> & { results: LoadResult[] }
