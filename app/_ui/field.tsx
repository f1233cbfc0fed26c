import type { InputHTMLAttributes } from 'react'
import { classes } from './classes.ts'
import styles from './field.module.css'
import { describedBy, FieldFrame, type Question } from './field-frame.tsx'
import { PasswordToggle } from './password-toggle.tsx'

/** A field of one line. */
export function Field({ label, help, problem, optional, code, trailing, id, type = 'text', ...rest }: FieldProps) {
  const inputId = id ?? rest.name
  return (
    <FieldFrame id={inputId} label={label} help={help} problem={problem} optional={optional} trailing={trailing}>
      <input
        {...rest}
        {...plainTyping(type)}
        {...describedBy(inputId, { help, problem })}
        id={inputId}
        type={type}
        className={classes(styles.input, code && styles.code)}
      />
      {type === 'password' && <PasswordToggle input={inputId} />}
    </FieldFrame>
  )
}

/** Turns off spelling and autocorrection for exact values. */
function plainTyping(type: string) {
  return type === 'text' ? {} : { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false }
}

type FieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'style' | 'name'> &
  Question & {
    name: string
    /** A fixed-width font for digits and codes. */
    code?: boolean
  }
