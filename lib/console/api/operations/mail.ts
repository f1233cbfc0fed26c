import { z } from 'zod'
import { appOf, type Call, operation } from '#lib/console/api/operation'
import { notFound, refusedAct } from '#lib/console/api/problem'
import { time } from '#lib/console/api/schemas'
import type { AppMailDomain } from '#lib/console/mail/app-mail'
import { addMailDomain, checkMailDomain, removeMailDomain } from '#lib/console/mail/change-mail'
import { mailDays, sumMail } from '#lib/console/mail/mail-days'
import { text } from '#lib/text/text-rules'

const mailDomain = z.object({
  domain: z.string(),
  /** The record that proves the domain. */
  dns: z.object({ name: z.string(), type: z.literal('TXT'), value: z.string() }),
  checked_at: time.nullable(),
  verified_at: time.nullable(),
  loses_proof_at: time.nullable(),
})
const domains = z.object({ items: z.array(mailDomain) })

/** The mail domains of an app, and what became of its mail. */
export const mailOperations = [
  operation({
    id: 'readMail',
    method: 'GET',
    path: '/apps/{app}/mail',
    action: 'app.read',
    summary: 'Returns the sums of thirty days, and the latest refusals with their reasons',
    answer: {
      status: 200,
      schema: z.object({
        mail: z.object({ forwarded: z.int(), blocked: z.int(), replied: z.int() }),
        refusals: z.array(
          z.object({ code: z.string(), reason: z.string(), results: z.string(), count: z.int(), last_at: time }),
        ),
      }),
    },
    async run(call) {
      const { app } = await appOf(call)
      const { appMail, appUsage, now } = call.context
      const since = new Date(now().getTime() - mailDays * 86_400_000)
      const refusals = (await appMail.listRefusals(app.id)).map(({ lastAt, ...one }) => ({ ...one, last_at: lastAt }))
      return { body: { mail: sumMail(await appUsage.read(app.id, since)), refusals } }
    },
  }),
  operation({
    id: 'listMailDomains',
    method: 'GET',
    path: '/apps/{app}/mail/domains',
    action: 'app.read',
    summary: 'Lists the domains that the app sends mail from, with the DNS records that prove them',
    answer: { status: 200, schema: domains },
    run: async (call) => ({ body: await listed(call) }),
  }),
  operation({
    id: 'addMailDomain',
    method: 'POST',
    path: '/apps/{app}/mail/domains',
    action: 'app.mail',
    summary: 'Adds a domain that the app sends mail from; it counts once DNS shows its record',
    body: z.strictObject({ domain: text.max(1000, 'must have at most 1000 characters') }),
    answer: { status: 200, schema: domains },
    async run(call) {
      const added = await addMailDomain(call.context, await appOf(call), call.body)
      if ('problems' in added) throw refusedAct(added.problems)
      return { body: await listed(call) }
    },
  }),
  operation({
    id: 'checkMailDomain',
    method: 'POST',
    path: '/apps/{app}/mail/domains/{domain}/check',
    action: 'app.mail',
    summary: 'Looks up the record of a mail domain now',
    answer: { status: 200, schema: domains },
    async run(call) {
      const checked = await checkMailDomain(call.context, await appOf(call), { domain: await domainOf(call) })
      if ('problems' in checked) throw refusedAct(checked.problems)
      return { body: await listed(call) }
    },
  }),
  operation({
    id: 'removeMailDomain',
    method: 'DELETE',
    path: '/apps/{app}/mail/domains/{domain}',
    action: 'app.mail',
    summary: 'Removes a mail domain; without any, mail may come from every authenticated sender',
    async run(call) {
      const removed = await removeMailDomain(call.context, await appOf(call), { domain: await domainOf(call) })
      if ('problems' in removed) throw refusedAct(removed.problems)
      return {}
    },
  }),
]

type AnyCall = Call<unknown, unknown>

const listed = async (call: AnyCall) => ({
  items: (await call.context.appMail.listDomains((await appOf(call)).app.id)).map(shown),
})

/** Returns the domain in the path; the domain of another app does not exist for it. */
async function domainOf(call: AnyCall): Promise<string> {
  const { app } = await appOf(call)
  const known = (await call.context.appMail.listDomains(app.id)).find(({ domain }) => domain === call.path.domain)
  if (!known) throw notFound()
  return known.domain
}

const shown = ({ domain, record, checkedAt, verifiedAt, losesProofAt }: AppMailDomain) => ({
  domain,
  dns: record,
  checked_at: checkedAt ?? null,
  verified_at: verifiedAt ?? null,
  loses_proof_at: losesProofAt ?? null,
})
