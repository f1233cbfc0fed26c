import { useTranslations } from 'next-intl'
import { type ActivityQuery, activityPath } from '#lib/account/activity/filter-activity'
import { kindGroups } from '#lib/account/activity/kind-groups'
import styles from './activity-filter.module.css'

/** Links to the events of one kind, and to all. */
export function ActivityFilter({ query }: { query: ActivityQuery }) {
  const t = useTranslations('activity.filter')
  return (
    <nav aria-label={t('label')}>
      <ul className={styles.filter}>
        {[undefined, ...kindGroups].map((group) => (
          <li key={group ?? 'all'}>
            <a
              href={activityPath({ ...query, about: group })}
              aria-current={group === query.about ? 'true' : undefined}
              className={styles.choice}
            >
              {t(group ?? 'all')}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
