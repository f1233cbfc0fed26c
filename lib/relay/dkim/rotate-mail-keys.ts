import type { Resolver } from '#lib/relay/dns/resolver'
import { dkimRecord, findDkimRecord, type Published, retiredFor } from './dkim-record.ts'
import { makeMailKeys } from './make-mail-keys.ts'
import type { MailKeyNeeds } from './store.ts'

/**
 * Creates the next key pair, unless one exists. `promoteMailKeys` lets the pair sign once DNS has its records; the
 * very first pair signs at once.
 */
export async function rotateMailKeys(needs: MailKeyNeeds): Promise<'made' | 'one is waiting'> {
  const keys = await needs.store.listMailKeys()
  if (keys.some(({ state }) => state === 'next')) return 'one is waiting'
  const newest = Math.max(0, ...keys.map(({ generation }) => generation))
  // The first pair signs at once, because there is no older one to keep using.
  const next = await makeMailKeys(needs, newest + 1, newest === 0 ? needs.now() : undefined)
  return (await needs.store.insertGeneration(next)) ? 'made' : 'one is waiting'
}

/**
 * Makes the next pair because the present private keys may be known to others, or are lost. Removes a pair that waits. The
 * new pair signs once DNS has its records.
 */
export async function replaceMailKeys(needs: MailKeyNeeds): Promise<void> {
  const newest = (await needs.store.listMailKeys()).at(-1)?.generation ?? 0
  const generation = newest + 1
  if (!(await needs.store.insertGeneration(await makeMailKeys(needs, generation, undefined))))
    throw new Error('Another process made a pair of keys for mail. Repeat.')
  await needs.store.removeWaiting(generation)
}

/**
 * The domain and the resolver of the DNS that publishes the keys. An evaluation has no DNS, so its next pair signs at
 * once.
 */
export type Publication = { domain: string; resolver: Resolver; evaluation: boolean }

export type Promotion =
  | { state: 'nothing waits' }
  | { state: 'promoted' }
  | { state: 'waits'; records: { name: string; published: Published }[] }

/** Lets the next pair sign as soon as DNS has both its records with the right values. */
export async function promoteMailKeys({ store, now }: MailKeyNeeds, publication: Publication): Promise<Promotion> {
  const next = (await store.listMailKeys()).filter(({ state }) => state === 'next')
  const generation = next[0]?.generation
  if (generation === undefined) return { state: 'nothing waits' }
  const wanted = next.map((key) => dkimRecord(key, publication.domain))
  const records = await Promise.all(
    wanted.map(async (record) => ({
      name: record.name,
      published: publication.evaluation ? ('found' as const) : await findDkimRecord(publication.resolver, record),
    })),
  )
  if (records.some(({ published }) => published !== 'found')) return { state: 'waits', records }
  await store.promote(generation, now())
  return { state: 'promoted' }
}

/** Promotes the next pair once DNS publishes it, deletes expired pairs, and returns how many keys it deleted. */
export async function tendMailKeys(needs: MailKeyNeeds, publication: Publication): Promise<number> {
  await promoteMailKeys(needs, publication)
  return needs.store.removeRetired(new Date(needs.now().getTime() - retiredFor))
}
