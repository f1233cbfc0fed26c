/** `node-off` takes the node out of service; `database-off` and `alone` are alarms only. */
export type ClockVerdict = 'right' | 'node-off' | 'database-off' | 'alone'

/** Seconds by which two clocks may differ. */
const tolerance = 30

/** The clock of a process; `ahead` of the database's in seconds. */
type Clock = { hostName: string; ahead: number }

/**
 * Judges the clock of a node by the database's and those of the other live nodes. A node whose clock differs from the
 * database's and from the other nodes' is wrong itself. If the other nodes agree with it, the database's clock is wrong,
 * and taking every node out of service would be an outage without a gain.
 */
export function judgeClock(own: Clock, others: Clock[]): ClockVerdict {
  if (Math.abs(own.ahead) <= tolerance) return 'right'
  const votes = votesOfOthers(own, others)
  if (votes.length === 0) return 'alone'
  return Math.abs(own.ahead - median(votes)) > tolerance ? 'node-off' : 'database-off'
}

/** The processes of one machine share its clock, so they have one vote together. */
function votesOfOthers(own: Clock, others: Clock[]): number[] {
  const heard = [own]
  const isHeard = ({ hostName, ahead }: Clock) =>
    heard.some((one) => one.hostName === hostName && Math.abs(one.ahead - ahead) <= tolerance)
  for (const other of others) if (!isHeard(other)) heard.push(other)
  return heard.slice(1).map(({ ahead }) => ahead)
}

/** With an even number of values, the middle one that is closer to the database's clock decides. */
function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const [low, high] = [sorted[(values.length - 1) >> 1] ?? 0, sorted[values.length >> 1] ?? 0]
  return Math.abs(low) <= Math.abs(high) ? low : high
}
