import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import styles from './choice-group.module.css'
import { ChoiceGroup, type ChoiceGroupProps } from './choice-group.tsx'
import { Icon } from './icon.tsx'

/**
 * A list of checkboxes. A `locked` one is shown as checked and required, and is not sent. The `folded` ones are below one
 * line that opens; they are sent in either case.
 */
export function CheckboxList({ id, items, folded, ...group }: CheckboxListProps) {
  // The problem summary links to the list's id, which the first enabled box has.
  const first = items.find((item) => !item.locked)
  const list = (some: readonly CheckboxItem[]) =>
    some.map((item) => (
      <li key={item.value} className={styles.item}>
        {item.locked ? (
          <Locked item={item} />
        ) : (
          <Box item={item} list={id} id={item === first ? id : `${id}-${item.value}`} />
        )}
        {item.below && <div className={styles.below}>{item.below}</div>}
      </li>
    ))
  return (
    <ChoiceGroup id={id} {...group}>
      {list(items)}
      {folded && (
        <li className={styles.folded}>
          <details>
            <summary>{folded.summary}</summary>
            <ul className={styles.foldedItems}>{list(folded.items)}</ul>
          </details>
        </li>
      )}
    </ChoiceGroup>
  )
}

function Box({
  item: { name, value, label, help, checked },
  list,
  id,
}: {
  item: CheckboxItem
  list: string
  id: string
}) {
  return (
    <>
      <input
        type="checkbox"
        id={id}
        name={name ?? list}
        value={value}
        defaultChecked={checked}
        aria-describedby={help ? `${id}-help` : undefined}
      />
      <label htmlFor={id}>{label}</label>
      {help && (
        <p id={`${id}-help`} className={styles.itemHelp}>
          {help}
        </p>
      )}
    </>
  )
}

function Locked({ item: { label, help } }: { item: CheckboxItem }) {
  const t = useTranslations('choice')
  return (
    <>
      <span className={styles.given}>
        <Icon name="check" />
      </span>
      <span className={styles.lockedLabel}>{label}</span>
      <span className={styles.tag}>{t('required')}</span>
      {help && <p className={styles.itemHelp}>{help}</p>}
    </>
  )
}

export type CheckboxItem = {
  value: string
  label: ReactNode
  /** The name of the box; the list's id by default. */
  name?: string
  help?: ReactNode
  checked?: boolean
  locked?: boolean
  /** A field that belongs to the choice. */
  below?: ReactNode
}

type CheckboxListProps = Omit<ChoiceGroupProps, 'children'> & {
  items: readonly CheckboxItem[]
  folded?: { summary: ReactNode; items: readonly CheckboxItem[] } | undefined
}
