import type { ReactNode } from 'react'
import styles from './assurance.module.css'
import { Icon } from './icon.tsx'

/** What stays private, said quietly beside what does not. */
export function Assurance({ children }: { children: ReactNode }) {
  return (
    <p className={styles.assurance}>
      <Icon name="shield" />
      <span>{children}</span>
    </p>
  )
}
