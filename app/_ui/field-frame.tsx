import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './field.module.css'
import { FieldProblem } from './field-problem.tsx'

/** The frame of a field of any kind: label above, help below, the problem directly above the input. */
export function FieldFrame({ id, label, help, problem, optional, trailing, children }: FieldFrameProps) {
  const t = useTranslations('field')
  return (
    <div className={classes(styles.field, problem ? styles.wrong : undefined)}>
      <label htmlFor={id} className={styles.label}>
        {label}
        {optional && <span className={styles.optional}> ({t('optional')})</span>}
      </label>
      {problem && <FieldProblem id={id}>{problem}</FieldProblem>}
      <div className={styles.control}>{children}</div>
      {/* Follows the input in the source, so that Tab reaches the input first. */}
      {trailing && <div className={styles.trailing}>{trailing}</div>}
      {help && (
        <p id={`${id}-help`} className={styles.help}>
          {help}
        </p>
      )}
    </div>
  )
}

/** The attributes of an input that refer to the texts around it. */
export function describedBy(id: string, { help, problem }: Pick<Question, 'help' | 'problem'>) {
  const ids = classes(problem ? `${id}-problem` : undefined, help ? `${id}-help` : undefined)
  return { 'aria-invalid': problem ? true : undefined, 'aria-describedby': ids || undefined } as const
}

export type Question = {
  label: ReactNode
  help?: ReactNode
  problem?: ReactNode
  optional?: boolean | undefined
  /** A link beside the label, such as "Forgot password?". */
  trailing?: ReactNode
}

type FieldFrameProps = Question & { id: string; children: ReactNode }
