/** Returns rows under a heading, in aligned columns. */
export function table(heading: string[], rows: string[][]): string {
  const all = [heading, ...rows]
  const widths = heading.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
