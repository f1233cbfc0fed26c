import type { ReactNode } from 'react'
import styles from './empty-state.module.css'
import { Icon, type IconName } from './icon.tsx'

/** An empty list: what it will contain, and the first step. */
export function EmptyState({ icon, title, action, children }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <span className={styles.arch}>
        <Icon name={icon} size={24} />
      </span>
      <p className={styles.title}>{title}</p>
      {children && <div className={styles.text}>{children}</div>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  )
}

type EmptyStateProps = { icon: IconName; title: ReactNode; action?: ReactNode; children?: ReactNode }
