import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Joint } from '#app/_ui/joint.tsx'
import styles from './papers.module.css'

/** The operator's terms and privacy notice, where there are some. */
export function Papers({ terms, privacy }: { terms: string | undefined; privacy: string | undefined }) {
  const t = useTranslations('signup')
  const linkTo = (href: string) => (chunks: ReactNode) => <a href={href}>{chunks}</a>
  if (!terms && !privacy) return null
  return (
    <p className={styles.papers}>
      {terms && <span>{t.rich('terms', { link: linkTo(terms) })}</span>}
      {terms && privacy && <Joint />}
      {privacy && <span>{t.rich('privacy', { link: linkTo(privacy) })}</span>}
    </p>
  )
}
