import { useTranslations } from 'next-intl'
import styles from './copy-button.module.css'
import { Icon } from './icon.tsx'

/** Copies the text of an element; shown only with scripts and where the browser has a clipboard. */
export function CopyButton({ from, describedBy }: { from: string; describedBy?: string }) {
  const t = useTranslations('code')
  return (
    <>
      <button
        type="button"
        hidden
        suppressHydrationWarning
        className={styles.copy}
        data-copy={from}
        data-copied={t('copied')}
        aria-describedby={describedBy}
      >
        <Icon name="copy" size={16} />
        <span data-label>{t('copy')}</span>
      </button>
      <span role="status" className={styles.spoken} />
    </>
  )
}
