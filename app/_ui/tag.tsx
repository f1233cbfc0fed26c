import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './tag.module.css'

/** A word behind a label: of attention, or `good` when all is as it should be. */
export function Tag({ good, children }: { good?: boolean; children: ReactNode }) {
  return <span className={classes(styles.tag, good && styles.good)}>{children}</span>
}
