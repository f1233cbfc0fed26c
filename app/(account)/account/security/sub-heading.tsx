import { useTranslations } from 'next-intl'
import { BackLink } from '#app/_ui/back-link.tsx'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import styles from './sub-heading.module.css'

/** The heading of a page below Security, with a link back. */
export function SubHeading({ title, children }: { title: string; children: string }) {
  const t = useTranslations('security')
  return (
    <div className={styles.heading}>
      <BackLink href="/account/security">{t('back')}</BackLink>
      <PageHeading title={title}>{children}</PageHeading>
    </div>
  )
}
