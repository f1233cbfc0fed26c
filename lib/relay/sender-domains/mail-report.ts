import {
  checkMailDomain,
  type DnsRecord,
  losesProofAt,
  type MailDomain,
  type MailDomainNeeds,
  type ProofState,
  proofRecord,
} from './mail-domain.ts'

/**
 * Returns what an app's developers may see of its mail (relay §8): the domain proofs, looked up now, the numbers of
 * messages, and the reasons of refusals. Never a person or an address.
 */
export async function reportMail(appId: string, needs: MailDomainNeeds & { mail: AppMailStore }): Promise<MailReport> {
  const before = await needs.store.listDomains(appId)
  const states = await Promise.all(before.map((domain) => checkMailDomain(domain, needs)))
  const after = await needs.store.listDomains(appId)
  const found = new Map(before.map(({ domain }, index) => [domain, states[index]]))
  const domains = after.map((domain) => describeDomain(domain, found.get(domain.domain) ?? 'missing'))
  return {
    accepts: domains.some(({ verified }) => verified) ? 'registered' : 'open',
    domains,
    deliveries: await needs.mail.countDeliveries(appId),
    refusals: await needs.mail.listRefusals(appId, mostRefusals),
  }
}

export type MailReport = {
  /** Whether only proven domains, or every authenticated sender, may write (relay §3). */
  accepts: 'open' | 'registered'
  domains: DomainReport[]
  deliveries: Deliveries
  refusals: MailRefusal[]
}

export type DomainReport = {
  domain: string
  verified: boolean
  proof: ProofState
  record: DnsRecord
  verifiedAt: Date | undefined
  /** The time at which a domain whose DNS record is missing loses its proof. */
  losesProofAt: Date | undefined
}

/** Sums over all aliases of the app. `lastMailOn` is a day without a time. */
export type Deliveries = { forwarded: number; blocked: number; replied: number; lastMailOn: string | undefined }

export type MailRefusal = {
  code: string
  reason: string
  detail: unknown
  count: number
  firstAt: Date
  lastAt: Date
}

/** Storage for the report, besides the domains. */
export type AppMailStore = {
  countDeliveries(appId: string): Promise<Deliveries>
  /** Returns the refusals, newest first. */
  listRefusals(appId: string, most: number): Promise<MailRefusal[]>
}

const mostRefusals = 20

function describeDomain(domain: MailDomain, proof: ProofState): DomainReport {
  const { verifiedAt } = domain
  return {
    domain: domain.domain,
    verified: verifiedAt !== undefined,
    proof,
    record: proofRecord(domain),
    verifiedAt,
    losesProofAt: verifiedAt && proof === 'missing' ? losesProofAt(verifiedAt) : undefined,
  }
}
