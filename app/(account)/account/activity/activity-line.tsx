import { useFormatter, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useScopeNames } from '#app/_sharing/scope-names.ts'
import { classes } from '#app/_ui/classes.ts'
import { DeviceName } from '#app/_ui/device-name.tsx'
import styles from '#app/_ui/event-list.module.css'
import { Icon, type IconName } from '#app/_ui/icon.tsx'
import { usePlaceName } from '#app/_ui/place-name.ts'
import { TimeAgo } from '#app/_ui/time-ago.tsx'
import type { Activity, ActivityKind } from '#lib/account/activity/activity'
import { pathWith } from '#lib/http/redirect'

/** One event: what happened, when, and from where. `mayDeny` adds the way to secure the account. */
export function ActivityLine({ activity, id, mayDeny }: { activity: Activity; id: string; mayDeny?: boolean }) {
  const { at, kind, detail, address, device } = activity
  const t = useTranslations('activity')
  const { icon, grave } = looks[kind]
  const place = usePlaceName(address)
  const format = useFormatter()
  const scopes = useScopeNames(detail.scopes?.split(' ') ?? [], detail.email)
  const recovery = useRecoveryParts()
  const hasParts = kind === 'recovered' || kind === 'email_restored'
  const parts = hasParts ? format.list(recovery(detail), { type: 'unit' }) : format.list(scopes)
  const named = kind.startsWith('passkey')
    ? detail.name || t('somePasskey')
    : detail.app || detail.label || t('someApp')
  // Events of the relay have no device.
  const byPerson = device !== '' || address !== ''
  const what = () => (
    <bdi className={styles.what} translate="no">
      {named}
    </bdi>
  )
  return (
    <li className={classes(styles.line, grave && styles.grave)}>
      <Icon name={icon} />
      <div>
        <p id={id}>{t.rich(`kinds.${kind}`, { what: what as () => ReactNode })}</p>
        {parts !== '' && <p className={styles.parts}>{parts}</p>}
        {detail.reason && <p className={styles.parts}>{t('reason', { reason: detail.reason })}</p>}
        <p className={styles.where}>
          <TimeAgo at={at} />
          {byPerson && (
            <span>
              <DeviceName userAgent={device} />
            </span>
          )}
          {address && <span>{place ? t('fromPlace', { place, address }) : t('from', { address })}</span>}
          {mayDeny && (byPerson || askedFor.includes(kind)) && (
            <span>
              <a
                href={pathWith('/account/activity/secure', { at: at.toISOString() })}
                aria-describedby={`${id} ${id}-time`}
              >
                {t('notMe')}
              </a>
              <span id={`${id}-time`} hidden>
                {format.dateTime(at, { dateStyle: 'long', timeStyle: 'medium' })}
              </span>
            </span>
          )}
        </p>
      </div>
    </li>
  )
}

/** Describes how an account was recovered, and the sessions and app access that ended. */
function useRecoveryParts() {
  const t = useTranslations('activity')
  return ({ by, count, apps }: Activity['detail']): string[] => [
    ...(by === 'letter' ? [t('byLetter')] : []),
    ...(by === 'code' ? [t('byCode')] : []),
    ...(by === 'operator' ? [t('byOperator')] : []),
    ...(Number(count) > 0 ? [t('devicesEnded', { count: Number(count) })] : []),
    ...(Number(apps) > 0 ? [t('appsEnded', { count: Number(apps) })] : []),
  ]
}

/** Acts of an operator on request. The requester may be an impostor, so the owner can deny them. */
const askedFor: ActivityKind[] = ['recovery_link_made', 'factor_reset_asked', 'factors_reset']

const looks: Record<ActivityKind, { icon: IconName; grave?: boolean }> = {
  signed_up: { icon: 'person' },
  signed_in: { icon: 'arrow' },
  sign_in_failed: { icon: 'attention', grave: true },
  signed_out: { icon: 'leave' },
  sessions_ended: { icon: 'leave' },
  password_changed: { icon: 'key' },
  passkey_added: { icon: 'key' },
  passkey_removed: { icon: 'key' },
  totp_on: { icon: 'shield' },
  totp_off: { icon: 'shield' },
  recovery_codes_made: { icon: 'shield' },
  recovery_code_used: { icon: 'attention', grave: true },
  recovered: { icon: 'attention', grave: true },
  recovery_link_made: { icon: 'attention', grave: true },
  second_factor_removed: { icon: 'shield', grave: true },
  email_bound: { icon: 'mail' },
  email_changed: { icon: 'mail' },
  email_removed: { icon: 'mail' },
  email_restored: { icon: 'attention', grave: true },
  profile_changed: { icon: 'person' },
  picture_changed: { icon: 'person' },
  consent_given: { icon: 'app' },
  address_shared: { icon: 'mail' },
  address_hidden: { icon: 'mask' },
  consent_narrowed: { icon: 'app' },
  consent_withdrawn: { icon: 'app' },
  app_moved: { icon: 'app' },
  alias_off: { icon: 'mask' },
  alias_on: { icon: 'mask' },
  alias_made: { icon: 'mask' },
  alias_deleted: { icon: 'trash' },
  new_apps_regular: { icon: 'mail' },
  new_apps_hidden: { icon: 'mask' },
  reply_undelivered: { icon: 'attention', grave: true },
  mail_paused: { icon: 'attention', grave: true },
  mail_confirmed: { icon: 'mail' },
  data_downloaded: { icon: 'download' },
  deletion_asked: { icon: 'trash', grave: true },
  deletion_undone: { icon: 'check' },
  deletion_by_operator: { icon: 'trash', grave: true },
  deletion_called_off: { icon: 'check' },
  operator_looked: { icon: 'person' },
  disabled_by_operator: { icon: 'off', grave: true },
  enabled_by_operator: { icon: 'check' },
  signed_out_by_operator: { icon: 'leave', grave: true },
  unlocked_by_operator: { icon: 'clock' },
  factor_reset_asked: { icon: 'attention', grave: true },
  factor_reset_cancelled: { icon: 'check' },
  factor_reset_kept: { icon: 'check' },
  factors_reset: { icon: 'shield', grave: true },
  account_by_operator: { icon: 'person' },
  profile_by_operator: { icon: 'person' },
  picture_by_operator: { icon: 'person' },
  operator_role_given: { icon: 'shield' },
  operator_role_taken: { icon: 'off' },
}
