import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import styles from './field-problem.module.css'
import { Icon } from './icon.tsx'

/** What is wrong with a field or a list of choices, above it. */
export function FieldProblem({ id, children }: { id: string; children: ReactNode }) {
  const t = useTranslations('field')
  return (
    <p id={`${id}-problem`} className={styles.problem}>
      <Icon name="danger" />
      <span>
        <span className={styles.spoken}>{t('problem')} </span>
        {children}
      </span>
    </p>
  )
}
