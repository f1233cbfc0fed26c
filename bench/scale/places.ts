import type { LoadResult } from '../load.ts'
import { profileDuring } from '../profile/inspector.ts'
import { busyShare, ownShares } from '../profile/shares.ts'

type Profiled = { pid: number; load: () => Promise<LoadResult> }

/** Smaller differences, in microseconds, are not listed. */
const least = 2

/**
 * Returns lines with the microseconds that the main thread spends on one request, by the place in the code, for each of two
 * servers: all places together, and those in which the two differ.
 */
export async function comparePlaces(name: string, loads: Profiled[]): Promise<string[]> {
  const times: Map<string, number>[] = []
  for (const { pid, load } of loads) times.push(await timesOf(pid, load))
  const [one = new Map(), other = new Map()] = times
  const differs = (place: string) => Math.abs((other.get(place) ?? 0) - (one.get(place) ?? 0))
  const places = [...new Set([...one.keys(), ...other.keys()])].filter((place) => differs(place) >= least)
  const line = (place: string, each: Map<string, number>[]) =>
    `| ${name}, ${place} | ${each.map((time) => (time.get(place) ?? 0).toFixed(0)).join(' | ')} |`
  return places.toSorted((a, b) => differs(b) - differs(a)).map((place) => line(place, [one, other]))
}

async function timesOf(pid: number, load: () => Promise<LoadResult>): Promise<Map<string, number>> {
  const { profile, result } = await profileDuring(pid, load)
  const whole = profile.timeDeltas.reduce((sum, delta) => sum + delta, 0)
  const busy = (whole * busyShare(profile)) / result.requests
  const places = ownShares(profile).map(({ place, share }): [string, number] => [place, share * busy])
  return new Map([['all', busy], ...places])
}
