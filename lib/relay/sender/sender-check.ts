import { once } from 'node:events'
import { BlockList, isIP, isIPv6 } from 'node:net'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { domainToASCII } from 'node:url'
import { type BodyHasher, DkimVerifier, type SignatureResult } from 'mailauth/lib/dkim/dkim-verifier.js'
import { dmarc } from 'mailauth/lib/dmarc/index.js'
import { spf } from 'mailauth/lib/spf/index.js'
import { limitResolver, type Resolver } from '#lib/relay/dns/resolver'
import { type HeaderField, readFields, writeFields } from '#lib/relay/mime/header-fields'

/**
 * Evaluates SPF, DKIM and DMARC of a message (relay §3; RFC 7208, 6376, 9989) without judging it: `sender-policy.ts`
 * judges apps, `check-reply-sender.ts` judges people. The client is the last hop.
 */
export async function checkSender(mail: SentMail, about: CheckedWith): Promise<Checked> {
  if (about.evaluation && isThisMachine(mail.client.ip)) return { kind: 'local' }
  const resolver = limitResolver(about.resolver, { ...limits, ...about.limits })
  const [spfResult, dkimResults] = await Promise.all([checkSpf(mail, resolver), checkDkim(mail, about.now, resolver)])
  const found = { spf: spfResult, dkim: dkimResults }
  const author = domainOf(mail.author)
  const dmarc = await checkAlignment(author, found, resolver)
  return { kind: 'checked', author, client: mail.client.ip, ...found, dmarc }
}

/** A message and its transaction. `author` is the single From address, as the relay parses and shows it. */
export type SentMail = {
  message: SignedMessage
  author: string
  /** MAIL FROM; '' for the null sender. */
  sender: string
  client: { ip: string; helo: string }
}

export type CheckedWith = {
  resolver: Resolver
  /** On a loopback issuer, mail from this machine needs no authentication. */
  evaluation: boolean
  now: Date
  limits?: { questions?: number; milliseconds?: number }
}

export type Checked = { kind: 'local' } | Evidence

/** The results of all checks; domains are lower-case A-labels. */
export type Evidence = Found & { kind: 'checked'; author: string; client: string; dmarc: DmarcResult }

export type Found = { spf: SpfResult; dkim: DkimResult[] }

/** SPF of the MAIL FROM domain, or of HELO for the null sender (RFC 7208 §2.4). */
export type SpfResult = { result: string; domain: string }

export type DkimResult = { result: string; domain: string; selector: string; why: string }

export type DmarcResult = {
  result: 'pass' | 'fail' | 'none' | 'temperror' | 'no author'
  /** The published policy of the author's domain, and the domain that publishes it. */
  policy: 'none' | 'quarantine' | 'reject'
  record: string
  /** Which checks passed in alignment with the author's domain. */
  aligned: { spf: boolean; dkim: boolean }
  /** No passing result is aligned, but a check that failed because of DNS could be. */
  mayYetPass: boolean
}

/**
 * Limits of the DNS look-ups for one message. They suffice for every honest sender and stop a chain of records that
 * an attacker publishes.
 */
const limits = { questions: 200, milliseconds: 60_000 }

async function checkSpf({ sender, client }: SentMail, resolver: Resolver): Promise<SpfResult> {
  const { ip, helo } = client
  const identity = sender === '' ? {} : { sender }
  const { status, domain } = await spf({ ...identity, ip, helo, mta: 'relay', resolver: resolver as never })
  return { result: status.result, domain: canonical(domain) }
}

async function checkDkim({ message }: SentMail, now: Date, resolver: Resolver): Promise<DkimResult[]> {
  const results = await verifyDkim(message, { resolver, now })
  return results.flatMap(({ signingDomain, selector = '', algo, canonBodyLengthLimited, status }) => {
    if (!signingDomain) return []
    const about = { domain: canonical(signingDomain), selector }
    // A signature over part of the body (l=) lets an attacker append anything.
    if (canonBodyLengthLimited) return { ...about, result: 'policy', why: 'says how much of the body it signs (l=)' }
    if (/-sha1$/i.test(algo ?? '')) return { ...about, result: 'policy', why: 'weak algorithm' }
    return { ...about, result: status.result, why: status.comment || '' }
  })
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/** Also matches IPv4-mapped IPv6 addresses. */
const isThisMachine = (ip: string) => isIP(ip) !== 0 && loopback.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4')

const domainOf = (address: string) => canonical(address.slice(address.lastIndexOf('@') + 1))

/** Returns the comparable form of a domain; invalid text stays as it is and equals no domain. */
const canonical = (domain: string) => (domainToASCII(domain) || domain.toLowerCase()).replace(/\.$/, '')

/**
 * Evaluates DMARC: whether SPF or DKIM results align with the author's domain, and its policy otherwise (RFC 9989).
 */
async function checkAlignment(author: string, found: Found, resolver: Resolver): Promise<DmarcResult> {
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

/** Resolves to false when the author's domain cannot have a policy. */
const evaluate = (author: string, domains: Domains, resolver: Resolver) =>
  dmarc({ headerFrom: `author@${author}`, fromFields: 1, ...domains, resolver: resolver as never })

/** `dkimBodyHash` is the relaxed body hash computed on arrival. */
type SignedMessage = { head: Buffer; dkimBodyHash: string; body(): Readable }

/**
 * Returns mailauth's results for the first few signatures (RFC 6376). The sender of a message chooses the cost of
 * verification, so the body is read at most once, for the simple canonicalization. ARC chains are ignored.
 */
async function verifyDkim(
  { head, dkimBodyHash, body }: SignedMessage,
  { resolver, now }: { resolver: Resolver; now: Date },
): Promise<SignatureResult[]> {
  const fields = withFewerSignatures(head)
  if (!fields.some(isSignature)) return []
  const rules = { rejectRsaSha1: true, minBitLength: 1024, curTime: now, resolver }
  const verifier = new Verifier(rules, dkimBodyHash)
  const headRead = new Promise<void>((resolve, reject) => {
    verifier.write(writeFields(fields), (fault) => (fault ? reject(fault) : resolve()))
  })
  await Promise.race([headRead, once(verifier, 'error').then(([fault]) => Promise.reject(fault))])
  if (verifier.readsBody) await pipeline(body(), verifier)
  else await pipeline([], verifier)
  return verifier.results
}

const mostSignatures = 5
/**
 * The maximum length of a signature in characters; real signatures have less than half as many. mailauth's cost grows
 * with the square of the length.
 */
const largestSignature = 4096
const mostNames = 200
/**
 * The maximum number of lines of a field, because the cost is quadratic in the number of lines too. A field with more
 * lines is left out, and a signature over it fails.
 */
const mostLines = 500

const isSignature = ({ name }: { name: string }) => name === 'dkim-signature'

const isModest = ({ raw }: HeaderField) => raw.length <= largestSignature && raw.split(':').length <= mostNames

function withFewerSignatures(head: Buffer) {
  let signatures = 0
  return readFields(head).filter((field) => {
    if (isSignature(field)) signatures += 1
    if (field.name.startsWith('arc-') || field.raw.split('\n').length > mostLines) return false
    return !isSignature(field) || (signatures <= mostSignatures && isModest(field))
  })
}

class Verifier extends DkimVerifier {
  readonly #relaxed: string

  constructor(options: object, relaxed: string) {
    super(options)
    this.#relaxed = relaxed
  }

  /** Body hashes with l= or SHA-1 are not computed, so these signatures never pass. */
  override addBodyHash(canonicalization: string, algorithm: string, length: number | ''): string {
    const counts = length === '' && algorithm === 'sha256'
    if (counts && canonicalization === 'simple') return super.addBodyHash(canonicalization, algorithm, length)
    const key = counts ? 'relaxed' : 'none'
    this.bodyHashes.set(key, known(counts ? this.#relaxed : ''))
    return key
  }

  get readsBody(): boolean {
    return [...this.bodyHashes.keys()].some((key) => key.startsWith('simple:'))
  }
}

const known = (hash: string): BodyHasher => ({
  update: () => undefined,
  digest: () => hash,
  setContentType: () => undefined,
  getMimeStructureStart: () => undefined,
})
