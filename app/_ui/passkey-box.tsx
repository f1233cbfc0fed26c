import { useTranslations } from 'next-intl'
import { Button, type ButtonLook } from './button.tsx'
import { Icon } from './icon.tsx'
import styles from './passkey-box.module.css'

/** The passkey button, inside the form that posts the response; hidden until the script runs. */
export function PasskeyBox({
  use,
  action,
  mine,
  look = 'secondary',
  or,
  wide = use !== 'add',
  label,
  children,
}: PasskeyBoxProps) {
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
      <Button type="button" look={look} wide={wide} icon={<Icon name="passkey" />}>
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
  /** The address that the response is posted to, if not the form's. */
  action?: string
  /** Whether only passkeys of the signed-in person are accepted. */
  mine?: boolean
  look?: ButtonLook
  /** Shows the divider "or" before or after the button, beside the alternative. */
  or?: 'before' | 'after'
  wide?: boolean
  label: string
  children?: string
}
