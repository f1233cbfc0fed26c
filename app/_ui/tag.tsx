import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './tag.module.css'

/** A one-word status behind a label; `good` when no action is needed. */
export function Tag({ good, children }: { good?: boolean; children: ReactNode }) {
  return <span className={classes(styles.tag, good && styles.good)}>{children}</span>
}
