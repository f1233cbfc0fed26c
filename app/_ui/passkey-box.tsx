import { useTranslations } from 'next-intl'
import { Button, type ButtonLook } from './button.tsx'
import { Icon } from './icon.tsx'
import styles from './passkey-box.module.css'

/** The button that asks for a passkey, inside the form that takes its answer; hidden until our script wakes it. */
export function PasskeyBox({ use, action, mine, look = 'secondary', or, label, children }: PasskeyBoxProps) {
  const t = useTranslations('passkeyBox')
  const divider = <p className={styles.or}>{t('or')}</p>
  return (
    <div
      hidden
      suppressHydrationWarning
      className={styles.box}
      data-passkey={use}
      data-action={action}
      data-mine={mine ? '1' : undefined}
      data-busy={t('busy')}
      data-cancelled={t('cancelled')}
      data-known={t('known')}
      data-failed={t('failed')}
    >
      {or === 'before' && divider}
      <Button type="button" look={look} wide={use !== 'add'} icon={<Icon name="passkey" />}>
        {label}
      </Button>
      {children && <p className={styles.why}>{children}</p>}
      <p role="status" className={styles.status} />
      {or === 'after' && divider}
    </div>
  )
}

type PasskeyBoxProps = {
  use: 'signin' | 'signup' | 'add'
  /** Where the answer goes, when not where the form does. */
  action?: string
  /** Only passkeys of whoever is signed in. */
  mine?: boolean
  look?: ButtonLook
  /** On which side the other way stands. */
  or?: 'before' | 'after'
  label: string
  children?: string
}
