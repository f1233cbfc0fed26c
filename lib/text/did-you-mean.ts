const longest = 64

/**
 * Returns the known word closest to a mistyped word. At most a third of the letters (rounded up), and never more than
 * three, may differ by insertion, deletion, replacement or transposition of neighbors. Skips long words, because the
 * cost is quadratic.
 */
export function closestOf(word: string, known: Iterable<string>): string | undefined {
  if (word.length > longest) return undefined
  let best: { word: string; distance: number } | undefined
  for (const candidate of known) {
    const limit = Math.min(3, Math.ceil(Math.max(word.length, candidate.length) / 3))
    if (candidate.length > longest || Math.abs(candidate.length - word.length) > limit) continue
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (distance <= limit && distance < (best?.distance ?? Number.POSITIVE_INFINITY))
      best = { word: candidate, distance }
  }
  return best?.word
}

/** Returns " Did you mean …?" or, if no known word is close, an empty text. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const closest = closestOf(word, known)
  return closest === undefined ? '' : ` Did you mean ${closest}?`
}

/** Returns the optimal string alignment distance. */
function editDistance(one: string, other: string): number {
  let [beforeLast, last]: number[][] = [[], Array.from({ length: other.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      next[column] = Math.min(
        (last?.[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last?.[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped && row > 1 && column > 1 ? (beforeLast?.[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    ;[beforeLast, last] = [last, next]
  }
  return last?.[other.length] ?? 0
}
