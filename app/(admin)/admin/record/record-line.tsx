import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import styles from '#app/_ui/event-list.module.css'
import { Icon, type IconName } from '#app/_ui/icon.tsx'
import { TimeAgo } from '#app/_ui/time-ago.tsx'
import { personPage } from '#lib/admin/paths'
import type { OperatorLine, OperatorLineKind } from '#lib/admin/record'

/** One line of the operators' record: who did what, about whom, when, and why. */
export function RecordLine({
  line: { kind, actor, person, target, at, reason, details, looks },
}: {
  line: OperatorLine
}) {
  const t = useTranslations('admin.record')
  const who = () =>
    actor === '' ? (
      t('commandLine')
    ) : (
      <bdi className={styles.what} translate="no">
        {actor}
      </bdi>
    )
  const what = () => {
    if (person)
      return (
        <a href={personPage(person.id)} translate="no">
          {person.username}
        </a>
      )
    return target === '' ? t('deletedPerson') : <bdi translate="no">{target}</bdi>
  }
  return (
    <li className={styles.line}>
      <Icon name={icons[kind]} />
      <div>
        <p>{t.rich(`kinds.${kind}`, { who: who as () => ReactNode, what: what as () => ReactNode })}</p>
        {reason !== '' && <p className={styles.parts}>{reason}</p>}
        <p className={styles.where}>
          <TimeAgo at={at} />
          {details !== '' && <code translate="no">{details}</code>}
          {looks > 1 && <span>{t('looks', { count: looks })}</span>}
        </p>
      </div>
    </li>
  )
}

const icons: Record<OperatorLineKind, IconName> = {
  looked: 'person',
  disabled: 'off',
  enabled: 'check',
  signed_out: 'leave',
  unlocked: 'clock',
  reset_asked: 'attention',
  reset_cancelled: 'check',
  reset_kept: 'check',
  factors_reset: 'shield',
  deletion_asked: 'trash',
  deletion_cancelled: 'check',
  deleted_now: 'trash',
  created: 'plus',
  profile_changed: 'person',
  picture_set: 'person',
  link_made: 'key',
  role_given: 'shield',
  role_taken: 'off',
  scopes_approved: 'check',
  scopes_refused: 'off',
  account_invited: 'mail',
  team_invited: 'mail',
  invitation_withdrawn: 'off',
  app_closed: 'off',
  app_opened: 'check',
  team_closed: 'off',
  team_opened: 'check',
}
