import { useTranslations } from 'next-intl'
import { Icon } from '#app/_ui/icon.tsx'
import styles from './code-list.module.css'

/** The codes, to copy, print or download. */
export function CodeList({ codes }: { codes: string[] }) {
  const t = useTranslations('codes')
  return (
    <section className={styles.box} aria-label={t('list')}>
      <ol className={styles.codes} translate="no">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <a href="/account/security/codes/download" download="recovery-codes.txt" className={styles.download}>
        <Icon name="download" />
        {t('download')}
      </a>
    </section>
  )
}
