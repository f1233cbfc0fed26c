import type { ConsentChange } from '#lib/oauth/consent/consent'
import type { Decision } from '#lib/oauth/consent/keep-consent'
import { type ActivityKind, type ActivityStore, originOf } from './activity.ts'

/** Records what a decision granted and took back; an unchanged decision records nothing. */
export async function noteConsent(
  { activity, now }: { activity: ActivityStore; now(): Date },
  request: Request,
  { personId, client, after }: Decision,
  { gained, lost, emailChanged }: ConsentChange,
): Promise<void> {
  const note = (kind: ActivityKind, scopes: string[]) => {
    const detail = { app: client.name, scopes: scopes.join(' '), email: after.emailChoice }
    return activity.record(personId, { at: now(), kind, detail, ...originOf(request) })
  }
  if (gained.length > 0) await note('consent_given', gained)
  if (lost.length > 0) await note('consent_narrowed', lost)
  // The scopes are unchanged, but the app is given another address.
  if (gained.length + lost.length === 0 && emailChanged)
    await note(after.emailChoice === 'regular' ? 'address_shared' : 'address_hidden', [])
}
