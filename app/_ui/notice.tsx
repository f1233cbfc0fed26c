import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'
import styles from './notice.module.css'

/** A note. With `live`, screen readers announce it as the result of the last action. */
export function Notice({ kind = 'info', title, live, children }: NoticeProps) {
  const t = useTranslations('notice')
  return (
    <div className={classes(styles.notice, styles[kind])} role={live ? 'status' : undefined}>
      <Icon name={icons[kind]} />
      <div className={styles.words}>
        <p className={styles.title}>{title ?? t(kind)}</p>
        {children && <div>{children}</div>}
      </div>
    </div>
  )
}

const icons = { info: 'info', attention: 'attention', danger: 'danger', success: 'check' } as const

type NoticeProps = { kind?: keyof typeof icons; title?: ReactNode; live?: boolean; children?: ReactNode }
