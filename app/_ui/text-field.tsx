import type { TextareaHTMLAttributes } from 'react'
import { classes } from './classes.ts'
import styles from './field.module.css'
import { describedBy, FieldFrame, type Question } from './field-frame.tsx'

/** A field of several lines. */
export function TextField({ label, help, problem, optional, ...rest }: TextFieldProps) {
  const id = rest.name
  return (
    <FieldFrame id={id} label={label} help={help} problem={problem} optional={optional}>
      <textarea
        rows={4}
        {...rest}
        {...describedBy(id, { help, problem })}
        id={id}
        className={classes(styles.input, styles.lines)}
      />
    </FieldFrame>
  )
}

type TextFieldProps = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'className' | 'style' | 'name'> &
  Question & { name: string }
