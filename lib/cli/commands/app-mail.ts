import { domainToASCII } from 'node:url'
import { type Answer, type Call, type Command, Refusal } from '#lib/cli/command'
import { withDatabase } from '#lib/cli/open'
import { operatorAct } from '#lib/cli/operator-act'
import { table } from '#lib/cli/table'
import { removeMailDomain } from '#lib/db/domains/app-mail-domains'
import { appMailStore } from '#lib/db/relay/app-mail-store'
import { mailDomainStore } from '#lib/db/relay/mail-domain-store'
import { type DomainReport, type MailReport, reportMail } from '#lib/relay/sender-domains/mail-report'
import { findApp } from './find-or-refuse.ts'

/** Commands for the mail that an app sends to relay addresses. */
export const appMailCommands: Command[] = [
  {
    usage: 'app mail ID',
    summary: 'Check the DNS proofs of its mail domains; show them, what was delivered, and why mail was refused',
    run: showMail,
  },
  {
    usage: 'app domain remove ID DOMAIN',
    summary: 'Remove a mail domain; without any, the app’s mail may come from every domain',
    run: (call) =>
      withDatabase(call, async ({ prisma }) => {
        const [id = '', given = ''] = call.args
        const domain = domainToASCII(given)
        const { team: teamId } = await findApp(prisma, id, call.now)
        const act = { ...operatorAct(call, 'mail_domain_removed', id), before: { domain } }
        if (!(await removeMailDomain(prisma, { id, teamId }, domain, act)))
          throw new Refusal(`App ${id} has no mail domain ${given}. See: cli app mail ${id}`)
        return {
          ok: true,
          value: { client_id: id, removed: domain },
          text: `${domain} is no mail domain of ${id} now.`,
        }
      }),
  },
]

function showMail(call: Call): Promise<Answer> {
  return withDatabase(call, async ({ prisma }) => {
    const id = call.args[0] ?? ''
    await findApp(prisma, id, call.now)
    const needs = { store: mailDomainStore(prisma), mail: appMailStore(prisma), resolver: call.resolver, now: call.now }
    const report = await reportMail(id, needs)
    return { ok: true, value: wire(id, report), text: describeReport(report) }
  })
}

const wire = (id: string, { accepts, domains, deliveries, refusals }: MailReport) => ({
  client_id: id,
  accepts,
  domains: domains.map(({ domain, verified, proof, record, verifiedAt, losesProofAt }) => ({
    domain,
    verified,
    proof,
    dns: record,
    verified_at: verifiedAt ?? null,
    loses_proof_at: losesProofAt ?? null,
  })),
  mail: {
    forwarded: deliveries.forwarded,
    blocked: deliveries.blocked,
    replied: deliveries.replied,
    last_mail_on: deliveries.lastMailOn ?? null,
  },
  refusals: refusals.map(({ firstAt, lastAt, ...refusal }) => ({ ...refusal, first_at: firstAt, last_at: lastAt })),
})

function describeReport({ accepts, domains, deliveries, refusals }: MailReport): string {
  const { forwarded, blocked, replied, lastMailOn } = deliveries
  const rows = refusals.map(({ code, reason, detail, count, lastAt }) => [
    `${count} ×`,
    `last ${lastAt.toISOString()}`,
    `${code} ${reason}`,
    JSON.stringify(detail),
  ])
  return [
    accepts === 'registered'
      ? 'Mail is accepted from its proven domains only.'
      : 'Mail is accepted from every domain that vouches for it; once one of its domains is proven, from those only.',
    ...domains.flatMap(describeDomain),
    `Forwarded ${forwarded}, blocked ${blocked}, replied ${replied}; last mail: ${lastMailOn ?? 'none yet'}.`,
    ...(rows.length > 0 ? ['', 'Refused:', table(['', '', 'why', ''], rows)] : []),
  ].join('\n')
}

function describeDomain({ domain, verified, proof, record, losesProofAt }: DomainReport): string[] {
  const publish = `    ${record.name}. IN ${record.type} "${record.value}"`
  if (proof === 'found') return [`✓ ${domain}: proven.`]
  const state = verified ? 'proven before' : 'not proven yet'
  if (proof === 'trouble') return [`! ${domain}: ${state}; DNS did not answer now.`, publish]
  if (losesProofAt)
    return [
      `! ${domain}: its proof is gone, so it stops counting on ${losesProofAt.toISOString().slice(0, 10)}. Publish:`,
      publish,
    ]
  return [`✗ ${domain}: not proven yet. Publish:`, publish]
}
