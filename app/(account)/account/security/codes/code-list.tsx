import { useTranslations } from 'next-intl'
import { CopyButton } from '#app/_ui/copy-button.tsx'
import { Icon } from '#app/_ui/icon.tsx'
import type { Person } from '#lib/account/signed-in/session'
import type { Config } from '#lib/server/settings/config'
import styles from './code-list.module.css'

/** The codes, to copy, print or download; of this page, a printer prints only the codes and what they belong to. */
export function CodeList({ codes, person, config }: CodeListProps) {
  const t = useTranslations('codes')
  return (
    <section className={styles.box} aria-label={t('list')} data-print-alone>
      <p className={styles.owner}>
        {config.serviceName} · {person.username}
        <br />
        {config.accountUrl}
      </p>
      <ol id="codes" className={styles.codes} translate="no">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
            {'\n'}
          </li>
        ))}
      </ol>
      <div className={styles.actions}>
        <CopyButton from="codes" />
        <button type="button" hidden suppressHydrationWarning data-print className={styles.print}>
          <Icon name="printer" size={16} />
          {t('print')}
        </button>
        <a href="/account/security/codes/download" download="recovery-codes.txt" className={styles.download}>
          <Icon name="download" size={16} />
          {t('download')}
        </a>
      </div>
    </section>
  )
}

type CodeListProps = { codes: string[]; person: Person; config: Pick<Config, 'serviceName' | 'accountUrl'> }
