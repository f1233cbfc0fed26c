import { findTexts, type Resolver } from '#lib/relay/dns/resolver'

/** A domain an app says it sends from; it counts once its DNS has shown the app's proof (relay §3). */
export type MailDomain = {
  appId: string
  domain: string
  proof: string
  createdAt: Date
  checkedAt: Date | undefined
  /** When the proof was last seen, while the domain counts as proven. */
  verifiedAt: Date | undefined
}

/** What DNS says of a proof; trouble says nothing either way. */
export type ProofState = 'found' | 'missing' | 'trouble'

/** What the proofs ask of storage. */
export type MailDomainStore = {
  /** In the order of their names. */
  listDomains(appId: string): Promise<MailDomain[]>
  /** The domains an app has proven: with any, only they may write to its people. */
  verifiedDomains(appId: string): Promise<string[]>
  /** Those not looked at since then, the longest first. */
  listDue(checkedBefore: Date, most: number): Promise<MailDomain[]>
  /** A missing proof unproves only what was last seen at `lostBefore` or earlier. */
  noteProof(domain: Pick<MailDomain, 'appId' | 'domain'>, state: ProofState, times: ProofTimes): Promise<void>
  removeDomain(appId: string, domain: string): Promise<boolean>
}

export type ProofTimes = { now: Date; lostBefore: Date }

/** A DNS record as an operator or a developer publishes it. */
export type DnsRecord = { name: string; type: 'MX' | 'TXT'; value: string }

const day = 86_400_000

/**
 * How long a proven domain survives without its proof. An app is not thrown open to everybody's mail by a slip in a
 * zone file; the time counts from when the proof was last seen, and trouble with DNS never ends it.
 */
const graceOfProof = 7 * day

/** A new proof, the app's own for this domain: 144 bits, since whoever can guess it still has to own the zone. */
export const makeProof = (random: (bytes: number) => Buffer): string => random(18).toString('base64url')

/** The record that proves a domain. Several apps may prove the same one: each has a record of its own at this name. */
export const proofRecord = ({ domain, proof }: Pick<MailDomain, 'domain' | 'proof'>): DnsRecord => ({
  name: `_postern.${domain}`,
  type: 'TXT',
  value: `postern-domain=${proof}`,
})

/** When a proven domain no longer counts, should its proof stay away. */
export const losesProofAt = (verifiedAt: Date): Date => new Date(verifiedAt.getTime() + graceOfProof)

/** Looks for the proof of a domain and takes note of what DNS says. */
export async function checkMailDomain(domain: MailDomain, { store, resolver, now }: MailDomainNeeds) {
  const { name, value } = proofRecord(domain)
  const texts = await findTexts(resolver, name)
  const state: ProofState = !texts ? 'trouble' : texts.some((text) => text.trim() === value) ? 'found' : 'missing'
  await store.noteProof(domain, state, { now, lostBefore: new Date(now.getTime() - graceOfProof) })
  return state
}

export type MailDomainNeeds = { store: MailDomainStore; resolver: Resolver; now: Date }

const most = 1000
const atOnce = 20
const restFor = 30 * 60_000

/** Looks at every domain again, the longest unseen first, so that one is proven soon after its record is published. */
export async function recheckMailDomains(needs: MailDomainNeeds): Promise<void> {
  const due = await needs.store.listDue(new Date(needs.now.getTime() - restFor), most)
  for (let first = 0; first < due.length; first += atOnce) {
    await Promise.all(due.slice(first, first + atOnce).map((domain) => checkMailDomain(domain, needs)))
  }
}
