import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { Theme } from '#lib/account/profile/page-look'
import type { Brand } from '#lib/brand/read-brand'
import { BrandLogo } from './brand-logo.tsx'
import styles from './site-header.module.css'
import { Wordmark } from './wordmark.tsx'

/** The mark and name of the service on every page; the account menu is at the other end. */
export function SiteHeader({ service, brand, theme, children }: SiteHeaderProps) {
  const t = useTranslations('shell')
  return (
    <header className={styles.header}>
      <a href="/" className={styles.home} aria-label={t('home', { service })}>
        {brand.pictures['logo.svg'] ? <BrandLogo brand={brand} theme={theme} /> : <Wordmark name={service} />}
      </a>
      {children}
    </header>
  )
}

type SiteHeaderProps = { service: string; brand: Brand; theme: Theme; children?: ReactNode }
