import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { pageContext } from '#app/_page/page-context.ts'
import { EmptyState } from '#app/_ui/empty-state.tsx'
import { OwnScript } from '#app/_ui/own-script.tsx'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { TimeAgo } from '#app/_ui/time-ago.tsx'
import { inboxFor } from '#lib/mail/letter-page'
import styles from './inbox.module.css'

/** The mailbox of an evaluation, with every message that would have been sent (design §7). */
export default async function InboxPage() {
  const mailbox = inboxFor(await headers(), await pageContext())
  if (!mailbox) notFound()
  const t = await getTranslations('inbox')
  const letters = mailbox.list()
  return (
    <div className={styles.page}>
      <PageHeading title={t('title')}>{t('lede')}</PageHeading>
      <p role="status" data-new={t('new')} />
      {/* Without a script, the page reloads by itself. */}
      <noscript>
        <meta httpEquiv="refresh" content="10" />
      </noscript>
      <div data-mailbox>
        {letters.length === 0 ? (
          <EmptyState icon="mail" title={t('emptyTitle')}>
            {t('emptyWhy')}
          </EmptyState>
        ) : (
          <ol className={styles.letters}>
            {letters.map(({ id, at, from, to, subject }) => (
              <li key={id}>
                <h2>
                  <a href={`/dev/inbox/${id}`} aria-describedby={`about-${id}`}>
                    {subject || t('noSubject')}
                  </a>
                </h2>
                <p id={`about-${id}`}>
                  <bdi translate="no">{from}</bdi> → <bdi translate="no">{to.join(', ')}</bdi> · <TimeAgo at={at} />
                </p>
              </li>
            ))}
          </ol>
        )}
      </div>
      <OwnScript src="/inbox.js" />
    </div>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('inbox'))('title') }
}
