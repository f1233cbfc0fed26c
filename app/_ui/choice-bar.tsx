import styles from './choice-bar.module.css'

/** A small setting: each choice is a submit button, so it needs no script. */
export function ChoiceBar({ action, label, back, chosen, items }: ChoiceBarProps) {
  return (
    <form method="post" action={action} className={styles.bar} data-keep-typed>
      {back && <input type="hidden" name="back" value={back} />}
      <fieldset className={styles.choices}>
        <legend className={styles.label}>{label}</legend>
        {items.map(({ value, label: text, lang }) => (
          <button
            key={value}
            type="submit"
            name="to"
            value={value}
            lang={lang}
            aria-pressed={value === chosen}
            className={styles.choice}
          >
            {text}
          </button>
        ))}
      </fieldset>
    </form>
  )
}

type ChoiceBarProps = {
  action: string
  label: string
  back: string | null
  chosen: string
  items: readonly { value: string; label: string; lang?: string }[]
}
