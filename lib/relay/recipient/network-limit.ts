import type { Relay } from '#lib/relay/relay'
import { networksOf } from '#lib/text/network'

/**
 * Counts one for each network of an address. Returns false, and counts nothing, when one of them is over its limit.
 * Runs in parallel, so that an unknown IPv6 address takes no longer than a known one (relay §4).
 */
export async function mayPassFrom(
  { store, now }: Pick<Relay, 'store' | 'now'>,
  name: string,
  address: string,
  { most, seconds }: { most: number; seconds: number },
): Promise<boolean> {
  const counts = await Promise.all(
    networksOf(address).map(async (network) => {
      const key = `${name}:${network.name}`
      return { key, passed: await store.mayPass(key, { most: most * network.factor, seconds }, now()) }
    }),
  )
  if (counts.every(({ passed }) => passed)) return true
  await Promise.all(counts.filter(({ passed }) => passed).map(({ key }) => store.giveBack(key)))
  return false
}
