import { getTranslations } from 'next-intl/server'
import { pageContext } from '#lib/web/page-context'
import styles from './evaluation-inbox.module.css'

/** In an evaluation no letter leaves the machine: where to find the one this page speaks of. */
export async function EvaluationInbox() {
  const [{ mailbox }, t] = await Promise.all([pageContext(), getTranslations('inbox')])
  if (!mailbox) return null
  return (
    <p className={styles.note}>
      <a href="/dev/inbox" target="_blank" rel="noreferrer">
        {t('open')}
      </a>
    </p>
  )
}
