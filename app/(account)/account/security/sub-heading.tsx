import { useTranslations } from 'next-intl'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import styles from './sub-heading.module.css'

/** The heading of a page below Security, with the way back up. */
export function SubHeading({ title, children }: { title: string; children: string }) {
  const t = useTranslations('security')
  return (
    <div className={styles.heading}>
      <a href="/account/security" className={styles.back}>
        <span aria-hidden="true">←</span> {t('back')}
      </a>
      <PageHeading title={title}>{children}</PageHeading>
    </div>
  )
}
