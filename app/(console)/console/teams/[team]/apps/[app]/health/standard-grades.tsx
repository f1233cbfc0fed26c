import { useTranslations } from 'next-intl'
import type { HealthReport } from '#lib/console/health/assess'
import { standards } from '#lib/console/health/rules'
import { GradeTag } from './grade-tag.tsx'
import styles from './health.module.css'

/** The grade by each standard. */
export function StandardGrades({ grades }: Pick<HealthReport, 'grades'>) {
  const t = useTranslations('consoleHealth')
  return (
    <dl className={styles.standards}>
      {standards.map((standard) => (
        <div key={standard} className={styles.standard}>
          <dt>{t(`standards.${standard}`)}</dt>
          <dd>
            <GradeTag grade={grades[standard]} />
            <p>{t(`standardsWhat.${standard}`)}</p>
          </dd>
        </div>
      ))}
    </dl>
  )
}
