import type { ReactNode } from 'react'
import styles from './choice-group.module.css'
import { ChoiceGroup, type ChoiceGroupProps } from './choice-group.tsx'

/** A list of radio buttons, each with an explanation. */
export function RadioList({ name, items, chosen, ...group }: RadioListProps) {
  return (
    <ChoiceGroup id={name} {...group}>
      {items.map(({ value, label, help, disabled }, index) => (
        <li key={value} className={styles.item}>
          <input
            type="radio"
            id={index === 0 ? name : `${name}-${value}`}
            name={name}
            value={value}
            defaultChecked={value === chosen}
            disabled={disabled}
            aria-describedby={help ? `${name}-${value}-help` : undefined}
          />
          <label htmlFor={index === 0 ? name : `${name}-${value}`}>{label}</label>
          {help && (
            <p id={`${name}-${value}-help`} className={styles.itemHelp}>
              {help}
            </p>
          )}
        </li>
      ))}
    </ChoiceGroup>
  )
}

type RadioListProps = Omit<ChoiceGroupProps, 'id' | 'children'> & {
  name: string
  chosen?: string | undefined
  items: readonly { value: string; label: ReactNode; help?: ReactNode; disabled?: boolean }[]
}
