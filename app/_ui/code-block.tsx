import { useTranslations } from 'next-intl'
import styles from './code-block.module.css'
import { Icon } from './icon.tsx'

/** Text to take along exactly: an identifier, a secret, a few lines of settings. */
export function CodeBlock({ id, label, children }: { id: string; label: string; children: string }) {
  const t = useTranslations('code')
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>
        <span>{label}</span>
        <button type="button" hidden className={styles.copy} data-copy={id} data-copied={t('copied')}>
          <Icon name="copy" size={16} />
          <span data-label>{t('copy')}</span>
        </button>
        <span role="status" className={styles.spoken} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard (WCAG 2.1.1). */}
      <section className={styles.code} tabIndex={0} aria-label={label}>
        <pre>
          <code id={id} translate="no">
            {children}
          </code>
        </pre>
      </section>
    </figure>
  )
}
