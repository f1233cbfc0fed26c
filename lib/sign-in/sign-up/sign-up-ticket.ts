import { openSealed, sealBytes } from '#lib/crypto/seal'
import type { Context } from '#lib/server/compose/context'

const lifetime = 3600_000

/** What a sign-up form carries: the id that its account will have, so that the same form sent twice makes one account. */
export async function makeTicket(context: Context): Promise<string> {
  const told: Ticket = { personId: context.random(16).toString('base64url'), at: context.now().getTime() }
  return sealBytes(context.secrets.current('seal-ticket'), Buffer.from(JSON.stringify(told)))
}

/** The id a form is for; undefined for what is not ours or older than an hour. */
export async function openTicket(context: Context, sealed: string): Promise<string | undefined> {
  const bytes = sealed.length <= 1024 ? await openSealed(context.secrets.all('seal-ticket'), sealed) : undefined
  if (!bytes) return undefined
  const { personId, at } = JSON.parse(Buffer.from(bytes).toString('utf8')) as Ticket
  return context.now().getTime() - at < lifetime ? personId : undefined
}

type Ticket = { personId: string; at: number }
