import type { ActivityKind } from './activity.ts'

/** What an event is about, for the filter of the activity page. */
const groupOf: Record<ActivityKind, 'sign_ins' | 'security' | 'apps' | 'mail' | 'account'> = {
  signed_up: 'sign_ins',
  signed_in: 'sign_ins',
  sign_in_failed: 'sign_ins',
  signed_out: 'sign_ins',
  sessions_ended: 'sign_ins',
  signed_out_by_operator: 'sign_ins',
  password_changed: 'security',
  passkey_added: 'security',
  passkey_removed: 'security',
  totp_on: 'security',
  totp_off: 'security',
  recovery_codes_made: 'security',
  recovery_code_used: 'security',
  recovered: 'security',
  recovery_link_made: 'security',
  second_factor_removed: 'security',
  unlocked_by_operator: 'security',
  factor_reset_asked: 'security',
  factor_reset_cancelled: 'security',
  factor_reset_kept: 'security',
  factors_reset: 'security',
  consent_given: 'apps',
  consent_narrowed: 'apps',
  consent_withdrawn: 'apps',
  address_shared: 'apps',
  address_hidden: 'apps',
  app_moved: 'apps',
  email_bound: 'mail',
  email_changed: 'mail',
  email_removed: 'mail',
  alias_off: 'mail',
  alias_on: 'mail',
  new_apps_regular: 'mail',
  new_apps_hidden: 'mail',
  reply_undelivered: 'mail',
  mail_paused: 'mail',
  mail_confirmed: 'mail',
  profile_changed: 'account',
  picture_changed: 'account',
  data_downloaded: 'account',
  deletion_asked: 'account',
  deletion_undone: 'account',
  deletion_by_operator: 'account',
  deletion_called_off: 'account',
  operator_looked: 'account',
  disabled_by_operator: 'account',
  enabled_by_operator: 'account',
  account_by_operator: 'account',
  profile_by_operator: 'account',
  picture_by_operator: 'account',
  operator_role_given: 'account',
  operator_role_taken: 'account',
}

export type KindGroup = (typeof groupOf)[ActivityKind]
export const kindGroups: readonly KindGroup[] = ['sign_ins', 'security', 'apps', 'mail', 'account']

/** Returns the kinds of events of a group. */
export const kindsOf = (group: KindGroup): ActivityKind[] =>
  (Object.keys(groupOf) as ActivityKind[]).filter((kind) => groupOf[kind] === group)
