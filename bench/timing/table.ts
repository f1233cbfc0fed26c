/** Renders two lists of times side by side, with the difference of their medians. */
export function renderTimes(title: string, lists: Record<string, number[]>): string {
  const rows = Object.entries(lists).map(([name, list]) => {
    const cells = quartiles(list).map((ms) => ms.toFixed(3))
    return `| ${name} (${list.length} tries) | ${cells.join(' | ')} |`
  })
  const [one = 0, other = 0] = Object.values(lists).map((list) => quartiles(list)[1] as number)
  const difference = one - other
  return [
    `| ${title} | lower quartile, ms | median, ms | upper quartile, ms |`,
    '|---|---|---|---|',
    ...rows,
    '',
    `Difference of the medians: ${difference.toFixed(3)} ms, ${((difference / other) * 100).toFixed(2)} % of the time an answer takes.`,
  ].join('\n')
}

function quartiles(list: number[]): number[] {
  const sorted = list.toSorted((one, other) => one - other)
  return [0.25, 0.5, 0.75].map((part) => (sorted[Math.floor(part * sorted.length)] as number) * 1000)
}
