import { findTexts, type Resolver } from '#lib/relay/dns/resolver'
import type { MailKeyAlgorithm, StoredMailKey } from './store.ts'

/** The record that publishes a key for mail (RFC 6376 §3.6.1). */
export function dkimRecord(key: StoredMailKey, domain: string): DkimRecord {
  const { selector, algorithm, state, publicKey } = key
  return {
    selector,
    algorithm,
    state,
    name: `${selector}._domainkey.${domain}`,
    value: `v=DKIM1; k=${algorithm}; p=${publicKey}`,
    keepUntil: key.state === 'retired' ? new Date(key.retiredAt.getTime() + retiredFor) : undefined,
  }
}

/** The TXT record of a key for mail, and the time until which a retired key must stay published. */
export type DkimRecord = {
  selector: string
  algorithm: MailKeyAlgorithm
  state: StoredMailKey['state']
  name: string
  value: string
  keepUntil: Date | undefined
}

/** How long a retired key stays in DNS: until all mail signed with it has been delivered or returned. */
export const retiredFor = 14 * 86_400_000

/** The result of looking up a record; `trouble` means that the look-up failed and nothing is known. */
export type Published = 'found' | 'missing' | 'different' | 'trouble'

/**
 * Returns whether DNS has exactly this record. Treats a second record as different, because verifiers may read
 * either.
 */
export async function findDkimRecord(resolver: Resolver, { name, value }: DkimRecord): Promise<Published> {
  const texts = await findTexts(resolver, name)
  if (!texts) return 'trouble'
  if (texts.length === 0) return 'missing'
  const [given, ...more] = texts.map(readTags)
  const wanted = readTags(value)
  const same = (given?.get('k') ?? 'rsa') === wanted.get('k') && given?.get('p') === wanted.get('p')
  return same && more.length === 0 ? 'found' : 'different'
}

/** `v=DKIM1; k=rsa; p=…`; white space is ignored, since it has no meaning in the tags compared here. */
const readTags = (text: string): Map<string, string> =>
  new Map(
    text
      .replace(/\s/g, '')
      .split(';')
      .filter((tag) => tag.includes('='))
      .map((tag) => [tag.slice(0, tag.indexOf('=')), tag.slice(tag.indexOf('=') + 1)]),
  )
