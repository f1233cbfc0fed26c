import { headers } from 'next/headers'
import { getTranslations } from 'next-intl/server'
import { pageContext } from '#app/_page/page-context.ts'
import { inboxFor } from '#lib/mail/letter-page'
import styles from './evaluation-inbox.module.css'

/** A link to the mailbox of an evaluation, which keeps every message instead of sending it. */
export async function EvaluationInbox() {
  const [context, sent, t] = await Promise.all([pageContext(), headers(), getTranslations('inbox')])
  if (!inboxFor(sent, context)) return null
  return (
    <p className={styles.note}>
      <a href="/dev/inbox" target="_blank" rel="noreferrer">
        {t('open')}
      </a>
    </p>
  )
}
