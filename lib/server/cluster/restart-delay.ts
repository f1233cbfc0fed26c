/** Milliseconds: a worker that lived this long did not fail at its start; the longest delay. */
const [healthy, longest] = [30_000, 30_000]

/**
 * Returns a function that returns how long to wait before the next worker starts, from how long the last one lived.
 * The wait grows while workers end soon after their start, so that a fault in the start does not use every core.
 */
export function makeRestartDelay(): (lived: number) => number {
  let failures = 0
  return (lived) => {
    failures = lived < healthy ? failures + 1 : 0
    return failures === 0 ? 0 : Math.min(longest, 1000 * 2 ** (failures - 1))
  }
}
