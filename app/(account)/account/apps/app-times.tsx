import { useTranslations } from 'next-intl'
import { TimeAgo } from '#app/_ui/time-ago.tsx'
import type { Connection } from '#lib/account/connected-apps/connection'
import styles from './apps.module.css'

/** The date since which data is shared with an app, and when the app last received tokens. */
export function AppTimes({ since, lastUsed }: Pick<Connection, 'since' | 'lastUsed'>) {
  const t = useTranslations('connections')
  return (
    <p className={styles.times}>
      <span>{t.rich('since', { time: () => <TimeAgo at={since} /> })}</span>
      <span>{lastUsed ? t.rich('lastUsed', { time: () => <TimeAgo at={lastUsed} /> }) : t('notUsed')}</span>
    </p>
  )
}
