import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { SentenceSpace } from '#app/_ui/sentence-space.tsx'
import styles from './papers.module.css'

/** Links to the operator's terms and privacy notice, where they exist. */
export function Papers({ terms, privacy }: { terms: string | undefined; privacy: string | undefined }) {
  const t = useTranslations('signup')
  const linkTo = (href: string) => (chunks: ReactNode) => <a href={href}>{chunks}</a>
  if (!terms && !privacy) return null
  return (
    <p className={styles.papers}>
      {terms && <span>{t.rich('terms', { link: linkTo(terms) })}</span>}
      {terms && privacy && <SentenceSpace />}
      {privacy && <span>{t.rich('privacy', { link: linkTo(privacy) })}</span>}
    </p>
  )
}
