import { Mark } from './mark.tsx'
import styles from './wordmark.module.css'

/** The mark and the name of the service. */
export function Wordmark({ name, size = 28 }: { name: string; size?: number }) {
  return (
    <span className={styles.wordmark}>
      <Mark size={size} />
      <span>{name}</span>
    </span>
  )
}
