import type { ReactNode } from 'react'
import styles from './checkbox.module.css'

/** A single checkbox. */
export function Checkbox({ name, value = '1', label, help, checked }: CheckboxProps) {
  return (
    <div className={styles.checkbox}>
      <input
        type="checkbox"
        id={name}
        name={name}
        value={value}
        defaultChecked={checked}
        aria-describedby={help ? `${name}-help` : undefined}
      />
      <label htmlFor={name}>{label}</label>
      {help && (
        <p id={`${name}-help`} className={styles.help}>
          {help}
        </p>
      )}
    </div>
  )
}

type CheckboxProps = { name: string; value?: string; label: ReactNode; help?: ReactNode; checked?: boolean }
