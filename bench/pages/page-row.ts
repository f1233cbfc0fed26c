import type { LoadResult } from '../load.ts'
import type { Workload } from '../workload.ts'

/** A page or a form, the process that serves it, and the requests of its measurement. `bytes` is the size of the page. */
export type PageRow = {
  name: string
  pid: number
  workload: Workload
  url: URL
  bytes: number | undefined
  results: LoadResult[]
}
