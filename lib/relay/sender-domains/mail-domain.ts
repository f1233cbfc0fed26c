import { findTexts, type Resolver } from '#lib/relay/dns/resolver'
import { showsProof } from '#lib/text/dns-proof'

/** A domain that an app claims to send from. The claim takes effect once DNS has the app's proof (relay §3). */
export type MailDomain = {
  appId: string
  domain: string
  proof: string
  createdAt: Date
  checkedAt: Date | undefined
  /** When the proof was last seen; undefined while the domain is unproven. */
  verifiedAt: Date | undefined
}

/** The result of looking up a proof; `trouble` means the look-up failed and nothing is known. */
export type ProofState = 'found' | 'missing' | 'trouble'

/** Storage of domain proofs. */
export type MailDomainStore = {
  /** Returns the domains in the order of their names. */
  listDomains(appId: string): Promise<MailDomain[]>
  /** Returns the proven domains of an app; if there are any, only these domains may send to its aliases. */
  verifiedDomains(appId: string): Promise<string[]>
  /** Returns at most `most` domains that were not checked since `checkedBefore`, the longest unchecked first. */
  listDue(checkedBefore: Date, most: number): Promise<MailDomain[]>
  /** Stores a check. A missing proof revokes the domain only when it was last seen at `lostBefore` or earlier. */
  noteProof(domain: Pick<MailDomain, 'appId' | 'domain'>, state: ProofState, times: ProofTimes): Promise<void>
}

export type ProofTimes = { now: Date; lostBefore: Date }

/** A DNS record as an operator or a developer publishes it. */
export type DnsRecord = { name: string; type: 'MX' | 'TXT'; value: string }

const day = 86_400_000

/**
 * The time for which a domain stays proven after its proof was last seen, so that a mistake in a zone file does not
 * open the app's aliases to all senders. A failed look-up never revokes a proof.
 */
const graceOfProof = 7 * day

/** Returns a new proof for one app and domain: 144 bits. */
export const makeProof = (random: (bytes: number) => Buffer): string => random(18).toString('base64url')

/** Returns the record that proves a domain. Each app has a record of its own at this name. */
export const proofRecord = ({ domain, proof }: Pick<MailDomain, 'domain' | 'proof'>): DnsRecord & { type: 'TXT' } => ({
  name: `_postern.${domain}`,
  type: 'TXT',
  value: `postern-domain=${proof}`,
})

/** Returns when a domain stops being proven if its proof does not reappear. */
export const losesProofAt = (verifiedAt: Date): Date => new Date(verifiedAt.getTime() + graceOfProof)

/** Looks up the proof of a domain and stores the result. */
export async function checkMailDomain(domain: MailDomain, { store, resolver, now }: MailDomainNeeds) {
  const { name, value } = proofRecord(domain)
  const texts = await findTexts(resolver, name)
  const state: ProofState = !texts ? 'trouble' : showsProof(texts, value) ? 'found' : 'missing'
  await store.noteProof(domain, state, { now, lostBefore: new Date(now.getTime() - graceOfProof) })
  return state
}

export type MailDomainNeeds = { store: MailDomainStore; resolver: Resolver; now: Date }

const most = 1000
const atOnce = 20
const restFor = 30 * 60_000

/**
 * Checks the domains that were not checked in the last 30 minutes, at most 1000, the longest unchecked first, and returns
 * how many. `goOn` returns false when no further look-up may begin.
 */
export async function recheckMailDomains(needs: MailDomainNeeds, goOn = () => true): Promise<number> {
  const due = await needs.store.listDue(new Date(needs.now.getTime() - restFor), most)
  for (let first = 0; first < due.length && goOn(); first += atOnce) {
    await Promise.all(due.slice(first, first + atOnce).map((domain) => checkMailDomain(domain, needs)))
  }
  return due.length
}
