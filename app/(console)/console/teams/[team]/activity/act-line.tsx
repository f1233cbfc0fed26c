import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import styles from '#app/_ui/event-list.module.css'
import { Icon, type IconName } from '#app/_ui/icon.tsx'
import { TimeAgo } from '#app/_ui/time-ago.tsx'
import type { Act, ActKind } from '#lib/console/audit/act'
import { useChanges } from './use-changes.ts'

/** One act: who did what, the values before and after, and when. */
export function ActLine({ act }: { act: Act }) {
  const t = useTranslations('console.activity')
  const changes = useChanges(act)
  const { kind, actor, target, targetName = '', at } = act
  const named = (chunks: ReactNode) => (
    <bdi className={styles.what} translate="no">
      {chunks}
    </bdi>
  )
  return (
    <li className={styles.line}>
      <Icon name={icons[kind]} />
      <div>
        <p>
          {t.rich(`kinds.${target === '' ? (withoutTarget[kind] ?? kind) : kind}`, {
            // A command of the operator has no username.
            who: () => (actor === '' ? t('operator') : named(actor)),
            what: () => (
              <>
                {named(targetName === '' ? target : targetName)}
                {targetName !== '' && (
                  <>
                    {' '}
                    <code translate="no">{target}</code>
                  </>
                )}
              </>
            ),
          })}
        </p>
        {changes.map((change) => (
          <p key={change} className={styles.parts}>
            {change}
          </p>
        ))}
        {act.token !== undefined && <p className={styles.parts}>{t('via', { token: act.token })}</p>}
        <p className={styles.where}>
          <TimeAgo at={at} />
        </p>
      </div>
    </li>
  )
}

/** The sentences of acts that may have no target: an invitation by link. */
const withoutTarget = {
  member_invited: 'link_made',
  invitation_withdrawn: 'link_withdrawn',
} as const satisfies Partial<Record<ActKind, string>> as Partial<Record<ActKind, 'link_made' | 'link_withdrawn'>>

const icons: Record<ActKind, IconName> = {
  team_created: 'plus',
  team_renamed: 'list',
  member_invited: 'mail',
  invitation_withdrawn: 'off',
  member_joined: 'person',
  member_added: 'person',
  role_changed: 'shield',
  member_removed: 'trash',
  member_left: 'leave',
  team_trusted: 'shield',
  team_untrusted: 'off',
  team_closed: 'off',
  team_opened: 'check',
  domain_added: 'plus',
  domain_proven: 'shield',
  domain_missing: 'attention',
  domain_lost: 'danger',
  domain_removed: 'trash',
  mail_domain_added: 'mail',
  mail_domain_removed: 'trash',
  logo_changed: 'app',
  logo_removed: 'trash',
  app_registered: 'plus',
  app_changed: 'app',
  app_disabled: 'off',
  app_enabled: 'check',
  scopes_approved: 'check',
  scopes_refused: 'off',
  app_deleted: 'trash',
  app_kept: 'check',
  app_offered: 'arrow',
  offer_withdrawn: 'off',
  offer_declined: 'off',
  app_given: 'leave',
  app_received: 'plus',
  sub_map_read: 'download',
  api_registered: 'plus',
  api_changed: 'list',
  api_deleted: 'trash',
  app_removed: 'trash',
  secret_added: 'key',
  secret_removed: 'trash',
  key_added: 'plus',
  key_removed: 'trash',
  token_made: 'key',
  token_revoked: 'trash',
  registration_token_made: 'key',
  registration_token_revoked: 'trash',
  receiver_registered: 'plus',
  receiver_changed: 'list',
  receiver_removed: 'trash',
  receiver_paused: 'off',
  receiver_resumed: 'check',
  receiver_verified: 'check',
  events_replayed: 'clock',
}
