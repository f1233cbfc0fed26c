import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import styles from './problem-summary.module.css'

/**
 * The problems of a form, above it, each with a link to its field. A single problem of a field is shown beside the field
 * alone.
 */
export function ProblemSummary({ problems }: { problems: readonly Problem[] }) {
  const t = useTranslations('problems')
  const [first, second] = problems
  if (!first || (first.field && !second)) return null
  return (
    <div className={styles.summary} role="alert" tabIndex={-1} data-focus>
      <h2 className={styles.title}>
        <Icon name="danger" />
        {t('title', { count: problems.length })}
      </h2>
      <ul>
        {problems.map(({ field, text }) => (
          <li key={field ?? 'form'}>{field ? <a href={`#${field}`}>{text}</a> : text}</li>
        ))}
      </ul>
    </div>
  )
}

/** A problem without a field is about the whole form. */
export type Problem = { field?: string; text: ReactNode }
