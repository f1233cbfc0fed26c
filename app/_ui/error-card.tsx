import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Actions } from './actions.tsx'
import styles from './error-card.module.css'
import { Fold } from './fold.tsx'
import { GateDrawing } from './gate-drawing.tsx'
import { InteractionHeading } from './interaction-heading.tsx'

/** An error: what happened, why, and what the person can do. */
export function ErrorCard({ title, next, developer, requestId, actions, children }: ErrorCardProps) {
  const t = useTranslations('error')
  return (
    <>
      <InteractionHeading
        above={
          <div className={styles.drawing}>
            <GateDrawing walled />
          </div>
        }
        title={title}
      >
        {children}
      </InteractionHeading>
      <p>{next}</p>
      {actions && <Actions>{actions}</Actions>}
      {developer && (
        <Fold title={t('developers')}>
          <p>{developer}</p>
        </Fold>
      )}
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
  /** The cause in the terms of the protocol. */
  developer?: ReactNode
  requestId?: string | null | undefined
  actions?: ReactNode
  /** What happened and why. */
  children: ReactNode
}
