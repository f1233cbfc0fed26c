import type { Acted, Author } from '#lib/console/acted'
import type { ConsoleContext } from '#lib/console/context'
import { teamPage } from '#lib/console/paths'
import { actOf, answerTeamForm } from '#lib/console/team-form'
import { readDomain } from '#lib/text/domain-name'
import { judgeCheck, lookUpProof } from './check-domain.ts'
import { makeProof } from './team-domain.ts'

/** The most domains of a team. */
export const mostTeamDomains = 10

const about = {
  form: 'domain',
  page: (teamId: string) => teamPage(teamId, 'domain'),
  action: 'team.domains',
} as const

/** POST /console/team/domain/add: claims a domain for the team. */
export const answerDomainAddition = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerTeamForm(context, request, about, async (submission) => {
    const domain = submission.form.get('domain').slice(0, 1100)
    const added = await addDomain(submission.context, submission, { domain })
    return 'problems' in added ? { ...added, kept: { domain: domain.slice(0, 300) } } : added
  })

/** POST /console/team/domain/check: looks up the record of a domain now. */
export const answerDomainCheck = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerTeamForm(context, request, about, (submission) =>
    checkDomain(submission.context, submission, { domain: submission.form.get('domain').slice(0, 300) }),
  )

/** POST /console/team/domain/remove: withdraws the claim of a domain. */
export const answerDomainRemoval = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerTeamForm(context, request, { ...about, fresh: true }, (submission) =>
    removeDomain(submission.context, submission, { domain: submission.form.get('domain').slice(0, 300) }),
  )

/** Claims a domain. The claim does nothing until the domain is proven, so that a team cannot reserve the domain of another. */
export async function addDomain(context: ConsoleContext, by: Author, values: { domain: string }): Promise<Acted> {
  const read = readDomain(values.domain, { ofHosts: true })
  if ('problem' in read) return { problems: [{ field: 'domain', code: `domain_${read.problem}` }] }
  const { domain } = read
  const row = {
    teamId: by.team.id,
    domain,
    proof: makeProof(context.random),
    createdAt: context.now(),
    checkedAt: undefined,
    verifiedAt: undefined,
    misses: 0,
    nextCheckAt: undefined,
  }
  const act = actOf({ context, ...by }, 'domain_added', { target: domain })
  const added = await context.teamDomains.add(row, mostTeamDomains, act)
  if (added === 'added') return { done: 'domain_added' }
  return { problems: [{ field: 'domain', code: `domain_${added}` }] }
}

/** Looks up the record of a domain. The attempt is counted before the DNS query, for the person and for the team. */
export async function checkDomain(context: ConsoleContext, by: Author, values: { domain: string }): Promise<Acted> {
  const domain = (await context.teamDomains.list(by.team.id)).find((one) => one.domain === values.domain)
  if (!domain) return { problems: [{ code: 'domain_gone' }] }
  const wait = await context.teamLimits.dnsChecks.take(by.person.id, by.team.id)
  if (wait > 0) return { problems: [{ code: 'dns_wait', wait }] }
  const state = await lookUpProof(context.findTexts, domain)
  const { result, kind } = judgeCheck(domain, state, { now: context.now(), isWeekly: false })
  const act = kind && actOf({ context, ...by }, kind, { target: domain.domain })
  // Another check may have stored its result since; the page then shows that one.
  await context.teamDomains.note(domain, result, act)
  return state === 'found' ? { done: 'domain_proven' } : { problems: [{ code: `proof_${state}` }] }
}

/** Withdraws the claim of a domain; on a double submit the second request shows the same result. */
export async function removeDomain(context: ConsoleContext, by: Author, values: { domain: string }): Promise<Acted> {
  const act = actOf({ context, ...by }, 'domain_removed', { target: values.domain })
  await context.teamDomains.remove(by.team.id, values.domain, act)
  return { done: 'domain_removed' }
}
