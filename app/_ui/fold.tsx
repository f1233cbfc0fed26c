import type { ReactNode } from 'react'
import styles from './fold.module.css'

/** A part of a page that few people need, closed until they open it. */
export const Fold = ({ title, what, open = false, children }: FoldProps) => (
  <details className={styles.fold} open={open}>
    <summary>
      {title}
      {what && <span className={styles.what}>{what}</span>}
    </summary>
    <div className={styles.content}>{children}</div>
  </details>
)

type FoldProps = {
  title: string
  /** The text that is shown while the fold is closed. */
  what?: string
  open?: boolean
  children: ReactNode
}
