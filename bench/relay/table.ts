import type { MailResult } from './types.ts'

export type MailFigure = { row: string; server: string; values: number[] }

const columns: { head: string; of(result: MailResult): number; digits: number }[] = [
  { head: 'accepted/s', of: ({ messages, seconds }) => messages / seconds, digits: 1 },
  { head: 'handed on/s', of: ({ handedOnPerSecond }) => handedOnPerSecond, digits: 1 },
  { head: 'p50 ms', of: ({ p50 }) => p50, digits: 1 },
  { head: 'p95 ms', of: ({ p95 }) => p95, digits: 1 },
  { head: 'p99 ms', of: ({ p99 }) => p99, digits: 1 },
  { head: 'CPU s / 1,000', of: ({ cpuSeconds, sent }) => (cpuSeconds / sent) * 1000, digits: 2 },
  { head: 'memory MiB', of: ({ memoryBytes }) => memoryBytes / 2 ** 20, digits: 0 },
  { head: 'peak MiB', of: ({ peakBytes }) => peakBytes / 2 ** 20, digits: 0 },
]

/** Takes the median of each column over the runs, and the maximum of the peak memory. */
export const summarizeMail = (row: string, server: string, results: MailResult[]): MailFigure => ({
  row,
  server,
  values: columns.map(({ head, of }) => {
    const values = results.map(of)
    return head.startsWith('peak') ? Math.max(...values) : median(values)
  }),
})

export function renderMailTable(figures: MailFigure[]): string {
  const lines = figures.map(({ row, server, values }, index) => [
    row === figures[index - 1]?.row ? '' : row,
    server,
    ...values.map((value, at) => number(value, columns[at]?.digits ?? 0)),
  ])
  const head = ['message', 'server', ...columns.map((column) => column.head)]
  const rule = head.map((_, index) => (index < 2 ? '---' : '--:'))
  return [head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const number = (value: number, digits: number) =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] as number) + (sorted[Math.floor(middle)] as number)) / 2
}
