import { useTranslations } from 'next-intl'
import styles from './password-toggle.module.css'

/** Shows or hides the typed password; hidden until the script runs. */
export function PasswordToggle({ input }: { input: string }) {
  const t = useTranslations('field')
  return (
    <button
      type="button"
      hidden
      suppressHydrationWarning
      className={styles.toggle}
      aria-controls={input}
      aria-label={t('showPassword')}
      data-reveal={input}
      data-show-text={t('show')}
      data-hide-text={t('hide')}
      data-show-label={t('showPassword')}
      data-hide-label={t('hidePassword')}
    >
      {t('show')}
    </button>
  )
}
