import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Actions } from './actions.tsx'
import styles from './error-card.module.css'
import { InteractionHeading } from './interaction-heading.tsx'

/** An error: what happened, why, and what the person can do. */
export function ErrorCard({ title, next, requestId, actions, children }: ErrorCardProps) {
  const t = useTranslations('error')
  return (
    <>
      <InteractionHeading title={title}>{children}</InteractionHeading>
      <p>{next}</p>
      {actions && <Actions>{actions}</Actions>}
      {requestId && (
        <p className={styles.request}>
          {t('request')} <code translate="no">{requestId}</code>
        </p>
      )}
    </>
  )
}

type ErrorCardProps = {
  title: ReactNode
  /** What the person can do now. */
  next: ReactNode
  requestId?: string | null | undefined
  actions?: ReactNode
  /** What happened and why. */
  children: ReactNode
}
