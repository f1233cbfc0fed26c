import { z } from 'zod'
import { type Call, operation } from '#lib/console/api/operation'
import { notFound, refusedAct } from '#lib/console/api/problem'
import { time } from '#lib/console/api/schemas'
import { addDomain, checkDomain, removeDomain } from '#lib/console/domain/change-domains'
import { proofRecord, type TeamDomain } from '#lib/console/domain/team-domain'
import { text } from '#lib/text/text-rules'

const teamDomain = z.object({
  domain: z.string(),
  /** The record that proves the domain. */
  dns: z.object({ name: z.string(), type: z.literal('TXT'), value: z.string() }),
  created_at: time,
  checked_at: time.nullable(),
  verified_at: time.nullable(),
})

/** The domains of the team and their proofs. */
export const domainOperations = [
  operation({
    id: 'listDomains',
    method: 'GET',
    path: '/domains',
    action: 'team.read',
    summary: 'Lists the domains of the team with the DNS records that prove them',
    answer: { status: 200, schema: z.object({ items: z.array(teamDomain) }) },
    run: async ({ context, by }) => ({
      body: { items: (await context.teamDomains.list(by.team.id)).map(shown) },
    }),
  }),
  operation({
    id: 'addDomain',
    method: 'POST',
    path: '/domains',
    action: 'team.domains',
    summary: 'Claims a domain; it counts once DNS shows its record',
    body: z.strictObject({ domain: text.max(1000, 'must have at most 1000 characters') }),
    answer: { status: 200, schema: z.object({ items: z.array(teamDomain) }) },
    async run({ context, by, body }) {
      const added = await addDomain(context, by, body)
      if ('problems' in added) throw refusedAct(added.problems)
      return { body: { items: (await context.teamDomains.list(by.team.id)).map(shown) } }
    },
  }),
  operation({
    id: 'checkDomain',
    method: 'POST',
    path: '/domains/{domain}/check',
    action: 'team.domains',
    summary: 'Looks up the record of a domain now',
    answer: { status: 200, schema: teamDomain },
    async run(call) {
      const { domain } = await domainOf(call)
      const checked = await checkDomain(call.context, call.by, { domain })
      if ('problems' in checked) throw refusedAct(checked.problems)
      return { body: shown(await domainOf(call)) }
    },
  }),
  operation({
    id: 'removeDomain',
    method: 'DELETE',
    path: '/domains/{domain}',
    action: 'team.domains',
    summary: 'Withdraws the claim of a domain',
    async run(call) {
      const { domain } = await domainOf(call)
      const removed = await removeDomain(call.context, call.by, { domain })
      if ('problems' in removed) throw refusedAct(removed.problems)
      return {}
    },
  }),
]

/** Returns the domain in the path; the domain of another team does not exist for it. */
async function domainOf({ context, by, path }: Call<unknown, unknown>): Promise<TeamDomain> {
  const domain = (await context.teamDomains.list(by.team.id)).find((one) => one.domain === path.domain)
  if (!domain) throw notFound()
  return domain
}

const shown = (domain: TeamDomain) => ({
  domain: domain.domain,
  dns: proofRecord(domain),
  created_at: domain.createdAt,
  checked_at: domain.checkedAt ?? null,
  verified_at: domain.verifiedAt ?? null,
})
