import type { Act, ActKind } from '#lib/console/audit/act'
import { teamPage } from '#lib/console/paths'
import { showsProof } from '#lib/text/dns-proof'
import {
  type CheckResult,
  type FindTexts,
  type ProofState,
  proofRecord,
  type TeamDomain,
  type TeamDomainStore,
} from './team-domain.ts'

const [hour, day] = [3_600_000, 86_400_000]

/** A proven domain is checked again after a week; while DNS gives no clear answer, after six hours. */
const [restFor, retryAfter] = [7 * day, 6 * hour]

/** After this time without a sight of the record, a failed look-up counts as a miss: an abandoned domain loses its proof. */
const silentFor = 60 * day

/** A proof is lost at the second weekly check in a row whose clear answer lacks the record, a week apart. */
const missesThatEnd = 2

/** Looks up the proof of a domain. */
export async function lookUpProof(findTexts: FindTexts, domain: TeamDomain): Promise<ProofState> {
  const { name, value } = proofRecord(domain)
  const texts = await findTexts(name)
  if (!texts) return 'trouble'
  if (showsProof(texts, value)) return 'found'
  return texts.length > 0 ? 'other' : 'missing'
}

/** Returns what a check changes, and the act that the team reads, if any. Only a weekly check counts a miss. */
export function judgeCheck(
  domain: TeamDomain,
  state: ProofState,
  { now, isWeekly }: { now: Date; isWeekly: boolean },
): { result: CheckResult; kind: ActKind | undefined } {
  const { verifiedAt, nextCheckAt } = domain
  const after = (time: number) => new Date(now.getTime() + time)
  if (state === 'found') {
    const result = { checkedAt: now, verifiedAt: now, misses: 0, nextCheckAt: after(restFor) }
    return { result, kind: verifiedAt ? undefined : 'domain_proven' }
  }
  const isUnclear = state === 'trouble' && !(verifiedAt && now.getTime() - verifiedAt.getTime() >= silentFor)
  if (isUnclear || !isWeekly) {
    const next = isWeekly ? after(retryAfter) : nextCheckAt
    return { result: { checkedAt: now, verifiedAt, misses: domain.misses, nextCheckAt: next }, kind: undefined }
  }
  const misses = domain.misses + 1
  if (misses < missesThatEnd)
    return { result: { checkedAt: now, verifiedAt, misses, nextCheckAt: after(restFor) }, kind: 'domain_missing' }
  return { result: { checkedAt: now, verifiedAt: undefined, misses, nextCheckAt: undefined }, kind: 'domain_lost' }
}

/** Sends the owners of a team a letter about a domain whose record is missing, or whose proof is lost. */
export type DomainLetter = (to: {
  to: string
  username: string
  locale: string
  team: string
  /** The path of the page about the domains. */
  page: string
  domain: string
  /** When the missing record costs the proof; undefined if the proof is lost. */
  until: Date | undefined
}) => Promise<unknown>

export type RecheckNeeds = {
  store: TeamDomainStore
  findTexts: FindTexts
  letter: DomainLetter
  now: Date
  random(bytes: number): Buffer
}

const [most, atOnce, mostLetters] = [500, 20, 20]

/**
 * Checks the proven domains whose check is due, at most 500, and returns how many; the rest follow in the next run. `goOn`
 * returns false when no further look-up may begin.
 */
export async function recheckTeamDomains(needs: RecheckNeeds, goOn = () => true): Promise<number> {
  const due = await needs.store.listDue(needs.now, most)
  for (let first = 0; first < due.length && goOn(); first += atOnce)
    await Promise.all(due.slice(first, first + atOnce).map((domain) => recheck(domain, needs)))
  return due.length
}

async function recheck(domain: TeamDomain, { store, findTexts, letter, now, random }: RecheckNeeds): Promise<void> {
  const state = await lookUpProof(findTexts, domain)
  const { result, kind } = judgeCheck(domain, state, { now, isWeekly: true })
  const act: Act | undefined = kind && {
    id: random(16).toString('base64url'),
    at: now,
    actor: '',
    kind,
    target: domain.domain,
    before: {},
    after: {},
  }
  const isStored = await store.note(domain, result, act)
  if (!isStored || (kind !== 'domain_missing' && kind !== 'domain_lost')) return
  const { team, owners } = await store.ownersOf(domain.teamId, mostLetters)
  for (const { email, ...owner } of owners)
    void letter({
      to: email,
      ...owner,
      team,
      page: teamPage(domain.teamId, 'domain'),
      domain: domain.domain,
      until: result.nextCheckAt,
    })
}
