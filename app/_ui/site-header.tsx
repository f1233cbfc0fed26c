import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import styles from './site-header.module.css'
import { Wordmark } from './wordmark.tsx'

/** The mark and name of the service on every page; the account menu is at the other end. */
export function SiteHeader({ service, children }: { service: string; children?: ReactNode }) {
  const t = useTranslations('shell')
  return (
    <header className={styles.header}>
      <a href="/" className={styles.home} aria-label={t('home', { service })}>
        <Wordmark name={service} />
      </a>
      {children}
    </header>
  )
}
