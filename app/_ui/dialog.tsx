import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Actions } from './actions.tsx'
import { Button, type ButtonLook } from './button.tsx'
import styles from './dialog.module.css'

/** A confirmation dialog before something is lost. The browser opens it and traps and restores the focus. */
export function Dialog({ id, opener, openerLook = 'secondary', title, confirm, children }: DialogProps) {
  const t = useTranslations('dialog')
  return (
    <>
      <Button type="button" look={openerLook} command="show-modal" commandfor={id} aria-haspopup="dialog">
        {opener}
      </Button>
      <dialog id={id} className={styles.dialog} aria-labelledby={`${id}-title`} closedby="any">
        <div className={styles.body}>
          <h2 id={`${id}-title`}>{title}</h2>
          {children}
          <Actions>
            {confirm}
            <Button type="button" look="secondary" command="close" commandfor={id}>
              {confirm ? t('cancel') : t('close')}
            </Button>
          </Actions>
        </div>
      </dialog>
    </>
  )
}

type DialogProps = {
  id: string
  opener: ReactNode
  openerLook?: ButtonLook
  title: ReactNode
  /** The form with the confirming button. */
  confirm?: ReactNode
  /** What the person loses and what they keep. */
  children: ReactNode
}
