import type { Figure } from './measure.ts'
import { frontDoor } from './postern.ts'

/** Renders a Markdown table. The last column is Postern's request rate divided by the row's. */
export function renderTable(figures: Figure[]): string {
  const head = ['', 'server', 'requests/s', 'p50 ms', 'p99 ms', 'CPU s / 1,000', 'memory MiB', 'Postern ÷ this']
  const lines = figures.map((figure, index) => {
    const postern = figures.find(({ row, contestant }) => row === figure.row && contestant === frontDoor.name)
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
