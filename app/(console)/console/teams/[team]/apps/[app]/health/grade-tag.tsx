import { useTranslations } from 'next-intl'
import { classes } from '#app/_ui/classes.ts'
import { Icon, type IconName } from '#app/_ui/icon.tsx'
import type { Grade } from '#lib/console/health/check'
import styles from './health.module.css'

const icons: Record<Grade, IconName> = { good: 'check', look: 'attention', mend: 'danger', unseen: 'clock' }

/** A grade in words, with an icon and a colour. */
export function GradeTag({ grade }: { grade: Grade }) {
  const t = useTranslations('consoleHealth.grades')
  return (
    <span className={classes(styles.grade, styles[grade])}>
      <Icon name={icons[grade]} size={16} />
      {t(grade)}
    </span>
  )
}
