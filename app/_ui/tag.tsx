import type { ReactNode } from 'react'
import styles from './tag.module.css'

/** A word of attention behind a label. */
export function Tag({ children }: { children: ReactNode }) {
  return <span className={styles.tag}>{children}</span>
}
