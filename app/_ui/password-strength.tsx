import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import styles from './password-strength.module.css'

const texts = ['short', 'long', 'common', 'weak', 'fair', 'good', 'strong'] as const

/**
 * The rules for a new password; with a script, how strong the typed one is, as a bar and in words. `said` is the answer to a
 * visitor without a script, who asked with the button.
 */
export function PasswordStrength({ said, children }: { said: string | undefined; children: ReactNode }) {
  const t = useTranslations('passwordStrength')
  const known = texts.find((one) => one === said)
  return (
    <>
      {children}
      <span
        className={styles.strength}
        data-strength={known}
        data-strength-texts={JSON.stringify(Object.fromEntries(texts.map((one) => [one, t(one)])))}
      >
        <span className={styles.bar} aria-hidden="true" />
        <span role="status">{known && t('checked', { result: t(known) })}</span>
      </span>
    </>
  )
}
