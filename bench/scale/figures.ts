import type { LoadResult } from '../load.ts'
import { median } from '../measure.ts'

/** Requests a second. */
export const rate = ({ requests, seconds }: LoadResult) => requests / seconds

/** Medians of some runs: requests a second, seconds of processor time for 1,000 requests, and milliseconds. */
export type Figures = { rate: number; cpu: number; p99: number }

export const figuresOf = (results: LoadResult[]): Figures => ({
  rate: median(results.map(rate)),
  cpu: median(results.map(({ cpuSeconds, requests }) => ((cpuSeconds ?? 0) / requests) * 1000)),
  p99: median(results.map(({ p99 }) => p99)),
})

export const inWords = (name: keyof Figures, value: number) =>
  name === 'rate' ? Math.round(value).toLocaleString('en') : value.toFixed(name === 'cpu' ? 3 : 2)
