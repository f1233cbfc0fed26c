import type { Figure } from './measure.ts'
import { frontDoor } from './postern.ts'

const wide = { label: 250, bar: 430, figure: 130 }
const high = { row: 34, bar: 18 }

/** Renders the request rates as bars, one group for each row, each group on a scale of its own. */
export function renderChart(figures: Figure[]): string {
  const lines: string[] = []
  let top = 0
  for (const [row, group] of Map.groupBy(figures, (figure) => figure.row)) {
    top += high.row
    lines.push(text(0, top, row, 'font-weight="600"'))
    const largest = Math.max(...group.map(({ requestsPerSecond }) => requestsPerSecond))
    for (const { contestant, requestsPerSecond: rate } of group) {
      top += high.bar + 4
      const width = Math.max(1, (rate / largest) * wide.bar).toFixed(0)
      const name = contestant.startsWith(frontDoor.name) ? 'own' : 'other'
      lines.push(text(wide.label - 8, top, contestant, 'text-anchor="end"'))
      lines.push(
        `<rect class="${name}" x="${wide.label}" y="${top - 13}" width="${width}" height="${high.bar}" rx="2"/>`,
      )
      lines.push(text(wide.label + Number(width) + 8, top, `${Math.round(rate).toLocaleString('en')} requests/s`))
    }
  }
  const [width, height] = [wide.label + wide.bar + wide.figure, top + high.row]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Requests per second">
<style>text{font:13px system-ui,sans-serif;fill:#1f2a26}.own{fill:#1f5c4a}.other{fill:#b9b4a6}
@media(prefers-color-scheme:dark){text{fill:#e8e4da}.own{fill:#6fbf9f}.other{fill:#5d5a52}}</style>
${lines.join('\n')}
</svg>
`
}

const text = (x: number, y: number, content: string, more = '') =>
  `<text x="${x}" y="${y}"${more && ` ${more}`}>${content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text>`
