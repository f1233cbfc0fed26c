import { useTranslations } from 'next-intl'
import { classes } from './classes.ts'
import styles from './code-block.module.css'
import { Icon } from './icon.tsx'

/** Text to take along exactly: an identifier, a secret, a few lines of settings. */
export function CodeBlock({ id, label, wrap = false, children }: CodeBlockProps) {
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
      <section className={classes(styles.code, wrap && styles.wrap)} tabIndex={0} aria-label={label}>
        <pre>
          <code id={id} translate="no">
            {children}
          </code>
        </pre>
      </section>
    </figure>
  )
}

type CodeBlockProps = {
  id: string
  label: string
  /** For what is read and typed by hand: all of it stays in sight on a narrow screen. */
  wrap?: boolean
  children: string
}
