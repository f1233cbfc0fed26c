import { type ActivityKind, originOf } from '#lib/account/activity/activity'
import type { Context } from '#lib/server/compose/context'
import { type ConsentRecord, consentChange } from './consent.ts'

type Decision = {
  personId: string
  client: { id: string; name: string }
  before: ConsentRecord | undefined
  after: ConsentRecord
}

/**
 * Keeps a decision in the place of the one it was made upon, and tells the audit trail what it gave and took; false
 * when another tab decided meanwhile. The same decision again is none.
 */
export async function keepConsent(context: Context, request: Request, decision: Decision): Promise<boolean> {
  const { personId, client, before, after } = decision
  const now = context.now()
  const kept = await context.consents.replaceConsent({ personId, appId: client.id, before, after, now })
  if (!kept) return false
  const { gained, lost, emailChanged } = consentChange(before, after)
  const tell = (kind: ActivityKind, scopes: string[]) => {
    const detail = { app: client.name, scopes: scopes.join(' '), email: after.emailChoice }
    return context.activity.record(personId, { at: now, kind, detail, ...originOf(request) })
  }
  if (gained.length > 0) await tell('consent_given', gained)
  if (lost.length > 0) await tell('consent_narrowed', lost)
  // The same scopes, and another address than before.
  if (gained.length + lost.length === 0 && emailChanged)
    await tell(after.emailChoice === 'regular' ? 'address_shared' : 'address_hidden', [])
  return true
}
