import { useTranslations } from 'next-intl'
import type { InputHTMLAttributes, ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './field.module.css'
import { PasswordToggle } from './password-toggle.tsx'

/** One question: label above, help below, the problem right above what was typed. */
export function Field({ label, help, problem, optional, code, trailing, id, type = 'text', ...rest }: FieldProps) {
  const t = useTranslations('field')
  const inputId = id ?? rest.name
  const helpId = help ? `${inputId}-help` : undefined
  const problemId = problem ? `${inputId}-problem` : undefined
  return (
    <div className={classes(styles.field, problem ? styles.wrong : undefined)}>
      <label htmlFor={inputId} className={styles.label}>
        {label}
        {optional && <span className={styles.optional}> ({t('optional')})</span>}
      </label>
      {problem && (
        <p id={problemId} className={styles.problem}>
          <span className={styles.spoken}>{t('problem')} </span>
          {problem}
        </p>
      )}
      <div className={styles.control}>
        <input
          {...rest}
          {...plainTyping(type)}
          id={inputId}
          type={type}
          className={classes(styles.input, code && styles.code)}
          aria-invalid={problem ? true : undefined}
          aria-describedby={classes(problemId, helpId) || undefined}
        />
        {type === 'password' && <PasswordToggle input={inputId} />}
      </div>
      {/* After the input, so that the keyboard reaches what has to be typed first. */}
      {trailing && <div className={styles.trailing}>{trailing}</div>}
      {help && (
        <p id={helpId} className={styles.help}>
          {help}
        </p>
      )}
    </div>
  )
}

/** Keyboards must not correct what has to be exact. */
function plainTyping(type: string) {
  return type === 'text' ? {} : { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false }
}

type FieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'style' | 'name'> & {
  name: string
  label: ReactNode
  help?: ReactNode
  problem?: ReactNode
  optional?: boolean
  /** Digits and codes: fixed-width, evenly spaced. */
  code?: boolean
  /** A link beside the label, such as the way to a forgotten password. */
  trailing?: ReactNode
}
