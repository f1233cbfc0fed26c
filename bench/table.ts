import type { Figure } from './measure.ts'

/** Renders a Markdown table. The last column is the rate of Postern, the first server of a row, divided by the line's. */
export function renderTable(figures: Figure[]): string {
  const head = ['', 'server', 'requests/s', 'p50 ms', 'p99 ms', 'CPU s / 1,000', 'memory MiB', 'Postern ÷ this']
  const lines = figures.map((figure, index) => {
    const postern = figures.find(({ row }) => row === figure.row)
    const ratio = postern && postern !== figure ? postern.requestsPerSecond / figure.requestsPerSecond : null
    return [
      figure.row === figures[index - 1]?.row ? '' : figure.row,
      figure.contestant,
      Math.round(figure.requestsPerSecond).toLocaleString('en'),
      figure.p50.toFixed(2),
      figure.p99.toFixed(2),
      figure.cpuPerThousand?.toFixed(3) ?? '–',
      figure.residentBytes === null ? '–' : (figure.residentBytes / 2 ** 20).toFixed(0),
      ratio === null ? '' : `${ratio.toFixed(2)} ×`,
    ]
  })
  const rule = head.map((_, index) => (index < 2 ? '---' : '--:'))
  return [head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
