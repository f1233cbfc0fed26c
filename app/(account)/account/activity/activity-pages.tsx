import { useTranslations } from 'next-intl'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import styles from './activity-list.module.css'

/** Links to earlier events, and back to the latest. */
export function ActivityPages({ older, isFirst }: { older: Date | undefined; isFirst: boolean }) {
  const t = useTranslations('activity')
  if (!older && isFirst) return null
  return (
    <nav className={styles.pages} aria-label={t('title')}>
      {older && (
        <ButtonLink href={`/account/activity?before=${older.toISOString()}`} look="secondary">
          {t('older')}
        </ButtonLink>
      )}
      {!isFirst && (
        <ButtonLink href="/account/activity" look="quiet">
          {t('newest')}
        </ButtonLink>
      )}
    </nav>
  )
}
