import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import styles from './name-status.module.css'

const reasons = [
  'username_short',
  'username_long',
  'username_characters',
  'username_reserved',
  'username_taken',
  'username_lookalike',
] as const

/** The rules for usernames, and whether the typed one is available (with a script). */
export function NameStatus({ children }: { children: ReactNode }) {
  const t = useTranslations('signup')
  const texts = { free: t('free'), ...Object.fromEntries(reasons.map((code) => [code, t(`problems.${code}`)])) }
  return (
    <>
      {children}
      <span role="status" className={styles.status} data-name-status data-texts={JSON.stringify(texts)} />
    </>
  )
}
