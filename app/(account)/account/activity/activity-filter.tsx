import { useTranslations } from 'next-intl'
import { type KindGroup, kindGroups } from '#lib/account/activity/kind-groups'
import { pathWith } from '#lib/http/redirect'
import styles from './activity-filter.module.css'

/** Links to the events of one kind, and to all. */
export function ActivityFilter({ about }: { about: KindGroup | undefined }) {
  const t = useTranslations('activity.filter')
  return (
    <nav aria-label={t('label')}>
      <ul className={styles.filter}>
        {[undefined, ...kindGroups].map((group) => (
          <li key={group ?? 'all'}>
            <a
              href={pathWith('/account/activity', { about: group })}
              aria-current={group === about ? 'true' : undefined}
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
