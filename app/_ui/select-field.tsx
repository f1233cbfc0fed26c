import type { SelectHTMLAttributes } from 'react'
import styles from './field.module.css'
import { describedBy, FieldFrame, type Question } from './field-frame.tsx'

/** A field with a drop-down list. */
export function SelectField({ label, help, problem, optional, items, ...rest }: SelectFieldProps) {
  const id = rest.id ?? rest.name
  return (
    <FieldFrame id={id} label={label} help={help} problem={problem} optional={optional}>
      <select {...rest} {...describedBy(id, { help, problem })} id={id} className={styles.input}>
        {items.map(({ value, label: text, lang }) => (
          <option key={value} value={value} lang={lang}>
            {text}
          </option>
        ))}
      </select>
    </FieldFrame>
  )
}

type SelectFieldProps = Omit<SelectHTMLAttributes<HTMLSelectElement>, 'className' | 'style' | 'name'> &
  Question & { name: string; items: readonly { value: string; label: string; lang?: string }[] }
