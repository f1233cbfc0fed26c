import type { ReactNode } from 'react'
import styles from './layout.module.css'

/** One calm card for a person on the way into an app. */
export default function InteractionLayout({ children }: { children: ReactNode }) {
  return <div className={styles.card}>{children}</div>
}
