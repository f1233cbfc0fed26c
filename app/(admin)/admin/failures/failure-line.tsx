import { useTranslations } from 'next-intl'
import styles from '#app/_ui/event-list.module.css'
import { Icon } from '#app/_ui/icon.tsx'
import { TimeAgo } from '#app/_ui/time-ago.tsx'
import type { FailureOfApp } from '#lib/admin/failures'
import { appOfOperators } from '#lib/admin/paths'

/** One refusal: the app, the exact reason, and when and how often it happened. */
export function FailureLine({
  failure: { id, app, endpoint, code, reason, count, lastAt },
}: {
  failure: FailureOfApp
}) {
  const t = useTranslations('admin.failures')
  return (
    <li className={styles.line}>
      <Icon name="attention" />
      <div>
        <p>
          <a className={styles.what} href={appOfOperators(app.id)} aria-describedby={`app-${id}`}>
            <bdi translate="no">{app.name}</bdi>
          </a>{' '}
          {/* Apps can have equal names. */}
          <code id={`app-${id}`} translate="no">
            {app.id}
          </code>
        </p>
        <p lang="en">
          <code>{code}</code>: {reason}
        </p>
        <p className={styles.where}>
          <TimeAgo at={lastAt} />
          <span lang="en">{endpoint}</span>
          <span>{t('times', { count })}</span>
        </p>
      </div>
    </li>
  )
}
