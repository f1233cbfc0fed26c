import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Actions } from './actions.tsx'
import styles from './error-card.module.css'
import { JourneyHeading } from './journey-heading.tsx'

/** A dead end that is not one: what happened, why, and where to go from here. */
export function ErrorCard({ title, next, requestId, actions, children }: ErrorCardProps) {
  const t = useTranslations('error')
  return (
    <>
      <JourneyHeading title={title}>{children}</JourneyHeading>
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
