import { useTranslations } from 'next-intl'
import type { Messages } from '#lib/text/messages'
import styles from './try.module.css'

type Word = keyof Messages['consoleTry']['words']

/** Parameters or claims, each with its value and its meaning. */
export function NamedValues({ id, values }: { id: string; values: [name: string, value: unknown][] }) {
  const t = useTranslations('consoleTry')
  return (
    <dl className={styles.values} id={id}>
      {values.map(([name, value]) => (
        <div key={name} className={styles.pair}>
          <dt>
            <code translate="no">{name}</code>
          </dt>
          <dd>
            <code translate="no" className={styles.value}>
              {shownValue(name, value)}
            </code>
            <span className={styles.meaning}>
              {t.has(`words.${name as Word}`) ? t(`words.${name as Word}`) : t('unknown')}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

const times = ['iat', 'exp', 'auth_time', 'updated_at']

/** Returns a value as JSON; a time also as a date. */
function shownValue(name: string, value: unknown): string {
  if (typeof value === 'string') return value === '' ? '""' : value
  const text = JSON.stringify(value)
  return times.includes(name) && typeof value === 'number' && value > 0
    ? `${text} (${new Date(value * 1000).toISOString().replace('.000', '')})`
    : text
}
