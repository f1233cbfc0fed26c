import type { ReactNode } from 'react'
import styles from './assurance.module.css'
import { Icon } from './icon.tsx'

/** A note in small type about data that stays private. */
export function Assurance({ children }: { children: ReactNode }) {
  return (
    <p className={styles.assurance}>
      <Icon name="shield" />
      <span>{children}</span>
    </p>
  )
}
