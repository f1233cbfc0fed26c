import type { ReactNode } from 'react'
import styles from './actions.module.css'
import { classes } from './classes.ts'

/**
 * The buttons at the end of a form or card: side by side, or below each other when `stacked`. On a phone, `inReach` keeps
 * them at the lower edge of the window.
 */
export function Actions({ stacked, inReach, children }: ActionsProps) {
  return <div className={classes(stacked ? styles.stacked : styles.row, inReach && styles.inReach)}>{children}</div>
}

type ActionsProps = { stacked?: boolean; inReach?: boolean; children: ReactNode }
