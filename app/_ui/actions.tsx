import type { ReactNode } from 'react'
import styles from './actions.module.css'

/** The buttons at the end of a form or card: side by side, or below each other when `stacked`. */
export function Actions({ stacked, children }: { stacked?: boolean; children: ReactNode }) {
  return <div className={stacked ? styles.stacked : styles.row}>{children}</div>
}
