import type { LoadResult } from '../load.ts'
import { median } from '../measure.ts'
import type { MeasuredPage } from './page-row.ts'

/** Renders a Markdown table with the medians of all runs. */
export function renderPages(rows: MeasuredPage[]): string {
  const head = ['page', 'p50 ms', 'p99 ms', 'requests/s', 'CPU ms', 'bytes']
  const lines = rows.map(({ name, results, bytes }) => {
    const of = (value: (one: LoadResult) => number) => median(results.map(value))
    return [
      name,
      of(({ p50 }) => p50).toFixed(1),
      of(({ p99 }) => p99).toFixed(1),
      Math.round(of(({ requests, seconds }) => requests / seconds)).toLocaleString('en'),
      of(({ cpuSeconds, requests }) => ((cpuSeconds ?? Number.NaN) / requests) * 1000).toFixed(2),
      bytes?.toLocaleString('en') ?? '',
    ]
  })
  const rule = head.map((_, index) => (index === 0 ? '---' : '--:'))
  return [head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
