import '#app/_ui/base-styles.ts'
import type { ReactNode } from 'react'
import { NotCarriedOutNotice } from '#app/_ui/not-carried-out-notice.tsx'
import styles from './layout.module.css'

/** The layout of interaction pages: one card. */
export default function InteractionLayout({ children }: { children: ReactNode }) {
  return (
    <div className={styles.card}>
      <NotCarriedOutNotice />
      {children}
    </div>
  )
}
