import { dmarc } from 'mailauth/lib/dmarc/index.js'
import type { Resolver } from '#lib/relay/dns/resolver'
import type { DmarcResult, Found } from './evidence.ts'

/**
 * Evaluates DMARC: whether SPF or DKIM results align with the author's domain, and its policy otherwise (RFC 9989).
 */
export async function checkAlignment(author: string, found: Found, resolver: Resolver): Promise<DmarcResult> {
  const now = domainsWith(found, ['pass'])
  const answer = await evaluate(author, now, resolver)
  if (!answer) return { ...nothing, result: 'no author' }
  const { status, alignment, policy, policyDomain } = answer
  if (status.result === 'temperror') return { ...nothing, result: 'temperror', mayYetPass: true }
  // Without a policy record only the identical domain is aligned.
  if (!alignment) {
    const aligned = { spf: now.spfDomains.includes(author), dkim: isAmong(now, author) }
    return { ...nothing, result: 'none', aligned, mayYetPass: await mayPass(author, found, resolver) }
  }
  const aligned = { spf: alignment.spf.result !== undefined, dkim: alignment.dkim.result !== undefined }
  const passes = status.result === 'pass'
  return {
    result: passes ? 'pass' : 'fail',
    policy: policy as DmarcResult['policy'],
    record: policyDomain ?? '',
    aligned,
    mayYetPass: !passes && (await mayPass(author, found, resolver)),
  }
}

const nothing = { policy: 'none', record: '', aligned: { spf: false, dkim: false }, mayYetPass: false } as const

/** Evaluates again as if every check that DNS prevented had passed. */
async function mayPass(author: string, found: Found, resolver: Resolver): Promise<boolean> {
  const hoped = domainsWith(found, ['pass', 'temperror'])
  const answer = await evaluate(author, hoped, resolver)
  if (!answer || answer.status.result === 'temperror') return true
  if (!answer.alignment) return hoped.spfDomains.includes(author) || isAmong(hoped, author)
  return answer.status.result === 'pass'
}

type Domains = { spfDomains: string[]; dkimDomains: { domain: string }[] }

const domainsWith = ({ spf, dkim }: Found, results: string[]): Domains => ({
  spfDomains: results.includes(spf.result) ? [spf.domain] : [],
  dkimDomains: dkim.filter(({ result }) => results.includes(result)).map(({ domain }) => ({ domain })),
})

const isAmong = ({ dkimDomains }: Domains, author: string) => dkimDomains.some(({ domain }) => domain === author)

/** False when the author's domain cannot have a policy. */
const evaluate = (author: string, domains: Domains, resolver: Resolver) =>
  dmarc({ headerFrom: `author@${author}`, fromFields: 1, ...domains, resolver: resolver as never })
