import { mostMailDomains } from '#lib/apps/mail-domain-rules'
import type { Acted, AppAuthor } from '#lib/console/acted'
import { answerAppForm } from '#lib/console/app/app-form'
import type { ConsoleContext } from '#lib/console/context'
import { actOf } from '#lib/console/team-form'
import { readDomain } from '#lib/text/domain-name'

const about = { form: 'mail', section: 'mail', action: 'app.mail' } as const

/** POST /console/app/mail/add: adds a domain that the app sends mail from. */
export const answerMailDomainAddition = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerAppForm(context, request, about, async (submission) => {
    const domain = submission.form.get('domain').slice(0, 1100)
    const added = await addMailDomain(submission.context, submission, { domain })
    return 'problems' in added ? { ...added, kept: { domain: domain.slice(0, 300) } } : added
  })

/** POST /console/app/mail/check: looks up the record of a domain now. */
export const answerMailDomainCheck = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerAppForm(context, request, about, (submission) =>
    checkMailDomain(submission.context, submission, { domain: submission.form.get('domain').slice(0, 300) }),
  )

/** POST /console/app/mail/remove: removes a domain. Without any, mail may come from every authenticated sender. */
export const answerMailDomainRemoval = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerAppForm(context, request, { ...about, fresh: true }, (submission) =>
    removeMailDomain(submission.context, submission, { domain: submission.form.get('domain').slice(0, 300) }),
  )

/** Adds a mail domain by the rules of `mail_domains` in a file. */
export async function addMailDomain(
  context: ConsoleContext,
  by: AppAuthor,
  values: { domain: string },
): Promise<Acted> {
  const read = readDomain(values.domain, { ofHosts: false })
  if ('problem' in read) return { problems: [{ field: 'domain', code: `domain_${read.problem}` }] }
  const act = actOf({ context, ...by }, 'mail_domain_added', { target: by.app.id, after: { domain: read.domain } })
  const added = await context.appMail.add(by.app, read.domain, mostMailDomains, act)
  if (added === 'added') return { done: 'domain_added' }
  if (added === 'unknown') return { problems: [{ code: 'app_unknown' }] }
  return { problems: [{ field: 'domain', code: `domain_${added}` }] }
}

/** Looks up the record of a domain. The attempt is counted before the DNS query, for the person and for the team. */
export async function checkMailDomain(
  context: ConsoleContext,
  by: AppAuthor,
  values: { domain: string },
): Promise<Acted> {
  const known = (await context.appMail.listDomains(by.app.id)).some(({ domain }) => domain === values.domain)
  if (!known) return { problems: [{ code: 'domain_gone' }] }
  const wait = await context.teamLimits.dnsChecks.take(by.person.id, by.team.id)
  if (wait > 0) return { problems: [{ code: 'dns_wait', wait }] }
  const state = await context.appMail.check(by.app.id, values.domain)
  if (state === 'found') return { done: 'domain_proven' }
  return { problems: [{ code: state ? `proof_${state}` : 'domain_gone' }] }
}

/** Removes a mail domain; on a double submit the second request shows the same result. */
export async function removeMailDomain(
  context: ConsoleContext,
  by: AppAuthor,
  values: { domain: string },
): Promise<Acted> {
  const { domain } = values
  const act = actOf({ context, ...by }, 'mail_domain_removed', { target: by.app.id, before: { domain } })
  await context.appMail.remove(by.app, domain, act)
  return { done: 'domain_removed' }
}
