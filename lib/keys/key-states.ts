import type { StoredKey } from './store.ts'

export type KeyState = 'next' | 'current' | 'retired'

/** Returns a function that says whether a signing key is the next, the current or a retired one of its algorithm. */
export function keyStates(keys: StoredKey[], now: Date): (key: StoredKey) => KeyState {
  const current = (algorithm: string) =>
    keys
      .filter((key) => key.algorithm === algorithm && key.currentFrom <= now)
      .toSorted((one, other) => other.currentFrom.getTime() - one.currentFrom.getTime())[0]?.kid
  return ({ kid, algorithm, currentFrom }) => {
    if (currentFrom > now) return 'next'
    return kid === current(algorithm) ? 'current' : 'retired'
  }
}
