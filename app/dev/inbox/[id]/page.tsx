import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { pageContext } from '#app/_page/page-context.ts'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { Fold } from '#app/_ui/fold.tsx'
import { HeadingWords } from '#app/_ui/heading-words.tsx'
import { TimeAgo } from '#app/_ui/time-ago.tsx'
import styles from '#app/dev/inbox/inbox.module.css'
import { inboxFor } from '#lib/mail/letter-page'

/** One message of the evaluation's mailbox: first its HTML in a sandbox, as its reader sees it, then its text. */
export default async function LetterPage({ params }: { params: Promise<{ id: string }> }) {
  const mailbox = inboxFor(await headers(), await pageContext())
  const letter = mailbox?.find(Number((await params).id))
  if (!letter) notFound()
  const t = await getTranslations('inbox')
  const { id, at, to, from, subject, text, html } = letter
  return (
    <article className={styles.page}>
      <p>
        <a href="/dev/inbox">← {t('back')}</a>
      </p>
      <h1 className={styles.subject}>
        <HeadingWords>{subject || t('noSubject')}</HeadingWords>
      </h1>
      <dl className={styles.head}>
        <dt>{t('to')}</dt>
        <dd translate="no">{to.join(', ')}</dd>
        <dt>{t('from')}</dt>
        <dd translate="no">{from}</dd>
        <dt>{t('when')}</dt>
        <dd>
          <TimeAgo at={at} />
        </dd>
      </dl>
      {html && (
        <iframe
          className={styles.letter}
          title={t('html')}
          src={`/dev/inbox/html/${id}`}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
        />
      )}
      <Fold title={t('text')} open={!html}>
        <pre className={styles.text}>{text || t('noText')}</pre>
      </Fold>
      <p className={styles.ways}>
        <ButtonLink href={`/dev/inbox/source/${id}`} look="secondary">
          {t('source')}
        </ButtonLink>
      </p>
    </article>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('inbox'))('title') }
}
