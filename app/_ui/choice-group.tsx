import type { ReactNode } from 'react'
import styles from './choice-group.module.css'
import { classes } from './classes.ts'
import { FieldProblem } from './field-problem.tsx'

/** The frame of a list of choices: question, help, problem. */
export function ChoiceGroup({ id, legend, help, problem, children }: ChoiceGroupProps) {
  const helpId = help ? `${id}-group-help` : undefined
  const problemId = problem ? `${id}-problem` : undefined
  return (
    <fieldset
      className={classes(styles.group, problem ? styles.wrong : undefined)}
      aria-describedby={classes(helpId, problemId) || undefined}
      data-wrong={problem ? '' : undefined}
    >
      <legend className={styles.legend}>{legend}</legend>
      {help && (
        <p id={helpId} className={styles.help}>
          {help}
        </p>
      )}
      {problem && <FieldProblem id={id}>{problem}</FieldProblem>}
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
