import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import styles from './choice-group.module.css'
import { classes } from './classes.ts'

/** The frame of a list of choices: question, help, problem. */
export function ChoiceGroup({ id, legend, help, problem, children }: ChoiceGroupProps) {
  const t = useTranslations('field')
  const helpId = help ? `${id}-group-help` : undefined
  const problemId = problem ? `${id}-problem` : undefined
  return (
    <fieldset
      className={classes(styles.group, problem ? styles.wrong : undefined)}
      aria-describedby={classes(helpId, problemId) || undefined}
    >
      <legend className={styles.legend}>{legend}</legend>
      {help && (
        <p id={helpId} className={styles.help}>
          {help}
        </p>
      )}
      {problem && (
        <p id={problemId} className={styles.problem}>
          <span className={styles.spoken}>{t('problem')} </span>
          {problem}
        </p>
      )}
      <ul className={styles.items}>{children}</ul>
    </fieldset>
  )
}

export type ChoiceGroupProps = {
  id: string
  legend: ReactNode
  help?: ReactNode
  problem?: ReactNode
  children: ReactNode
}
