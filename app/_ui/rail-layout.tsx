import './inside-styles.ts'
import type { ReactNode } from 'react'
import styles from './rail-layout.module.css'

/** A rail beside the page; sets the gaps between heading and cards. */
export function RailLayout({ rail, children }: { rail: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.layout}>
      {rail}
      <div className={styles.page}>{children}</div>
    </div>
  )
}
