/** A bar of a chart, in units of its view box. */
export type Bar = { x: number; y: number; width: number; height: number }

/**
 * Returns the bars of a chart of these numbers; the greatest one has the whole height. A number that is not zero has a bar
 * that can be seen.
 */
export function barsOf(numbers: readonly number[], { width, height }: { width: number; height: number }): Bar[] {
  const greatest = Math.max(...numbers, 1)
  const step = width / numbers.length
  return numbers.map((number, at) => {
    const tall = number === 0 ? 0 : Math.max(2, (number / greatest) * height)
    return { x: round(at * step + step * 0.1), y: round(height - tall), width: round(step * 0.8), height: round(tall) }
  })
}

const round = (number: number) => Math.round(number * 100) / 100
