import { addressHeader } from '#lib/http/headers'
import type { ConsentChange, Decision } from '#lib/oauth/consent/consent'

/** The kinds of events of an account; the activity page has a text for each. */
export type ActivityKind =
  | 'signed_up'
  | 'signed_in'
  | 'sign_in_failed'
  | 'signed_out'
  | 'sessions_ended'
  | 'password_changed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'totp_on'
  | 'totp_off'
  | 'recovery_codes_made'
  | 'recovery_code_used'
  | 'recovered'
  | 'recovery_link_made'
  | 'second_factor_removed'
  | 'email_bound'
  | 'email_changed'
  | 'email_removed'
  | 'email_restored'
  | 'profile_changed'
  | 'picture_changed'
  | 'consent_given'
  | 'address_shared'
  | 'address_hidden'
  | 'consent_narrowed'
  | 'consent_withdrawn'
  | 'app_moved'
  | 'alias_off'
  | 'alias_on'
  | 'alias_made'
  | 'alias_deleted'
  | 'new_apps_regular'
  | 'new_apps_hidden'
  | 'reply_undelivered'
  | 'mail_paused'
  | 'mail_confirmed'
  | 'data_downloaded'
  | 'deletion_asked'
  | 'deletion_undone'
  | 'deletion_by_operator'
  | 'deletion_called_off'
  | 'operator_looked'
  | 'disabled_by_operator'
  | 'enabled_by_operator'
  | 'signed_out_by_operator'
  | 'unlocked_by_operator'
  | 'factor_reset_asked'
  | 'factor_reset_cancelled'
  | 'factor_reset_kept'
  | 'factors_reset'
  | 'account_by_operator'
  | 'profile_by_operator'
  | 'picture_by_operator'
  | 'operator_role_given'
  | 'operator_role_taken'

/** One event of the audit trail; `detail` names apps, passkeys and the like, never an address or a secret. */
export type Activity = { at: Date; kind: ActivityKind; detail: Record<string, string>; address: string; device: string }

/** The client's address and User-Agent. */
export type Origin = { address: string; device: string }

/** The storage of the audit trail. */
export type ActivityStore = {
  record(personId: string, activity: Activity): Promise<void>
  /** Lists the latest events first, at most `most` of them and those of the same moment; of some kinds, or of all. */
  list(personId: string, before: Date | undefined, most: number, kinds?: ActivityKind[]): Promise<Activity[]>
}

/** Returns address and device of the client of a request. */
export function originOf(request: Request): Origin {
  return {
    address: addressFrom(request),
    device: (request.headers.get('user-agent') ?? '').slice(0, 300),
  }
}

/** Returns the client's address, which the front door sets. */
export const addressFrom = (request: Request): string => request.headers.get(addressHeader) ?? ''

/**
 * Records the scopes that a decision granted and took back, and a change of the shared address; an unchanged decision
 * records nothing.
 */
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
  // If the app gained or lost the e-mail scope, one of the two records above contains it.
  if (emailChanged && ![...gained, ...lost].includes('email'))
    await note(after.emailChoice === 'regular' ? 'address_shared' : 'address_hidden', [])
}
