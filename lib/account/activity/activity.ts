import { addressHeader } from '#lib/http/client-headers'

/** What can happen to an account; each is told in words on the activity page. */
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
  | 'profile_changed'
  | 'picture_changed'
  | 'consent_given'
  | 'address_shared'
  | 'address_hidden'
  | 'consent_narrowed'
  | 'consent_withdrawn'
  | 'alias_off'
  | 'alias_on'
  | 'reply_undelivered'
  | 'mail_paused'
  | 'mail_confirmed'
  | 'data_downloaded'
  | 'deletion_asked'
  | 'deletion_undone'
  | 'deletion_by_operator'
  | 'deletion_called_off'

/** One line of the audit trail; `detail` names the app, the passkey and the like, never an address or a secret. */
export type Activity = { at: Date; kind: ActivityKind; detail: Record<string, string>; address: string; device: string }

/** Where something was done from: the client's address and its own description of itself. */
export type Origin = { address: string; device: string }

/** What the audit trail asks of storage. */
export type ActivityStore = {
  record(personId: string, activity: Activity): Promise<void>
  /** The latest first, a page at a time. */
  list(personId: string, before: Date | undefined, most: number): Promise<Activity[]>
}

/** Where a request came from, as the front door knows it. */
export function originOf(request: Request): Origin {
  return {
    address: addressFrom(request),
    device: (request.headers.get('user-agent') ?? '').slice(0, 300),
  }
}

/** The client's address, which the front door has found. */
export const addressFrom = (request: Request): string => request.headers.get(addressHeader) ?? ''
