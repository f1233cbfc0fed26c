/** `node-off` takes the node out of service; `database-off` and `alone` are alarms only. */
export type ClockVerdict = 'right' | 'node-off' | 'database-off' | 'alone'

/** Seconds by which two clocks may differ. */
const tolerance = 30

/**
 * Judges a clock by how many seconds it, and the clocks of the other live nodes, are ahead of the database's. A node
 * whose clock differs from the database's and from the other nodes' is wrong itself. If the other nodes agree with it,
 * the database's clock is wrong, and taking every node out of service would be an outage without a gain.
 */
export function judgeClock(ahead: number, others: number[]): ClockVerdict {
  if (Math.abs(ahead) <= tolerance) return 'right'
  if (others.length === 0) return 'alone'
  return Math.abs(ahead - median(others)) > tolerance ? 'node-off' : 'database-off'
}

/** With an even number of values, the middle one that is closer to the database's clock decides. */
function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const [low, high] = [sorted[(values.length - 1) >> 1] ?? 0, sorted[values.length >> 1] ?? 0]
  return Math.abs(low) <= Math.abs(high) ? low : high
}
