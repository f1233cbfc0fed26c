import { useTranslations } from 'next-intl'
import { type UsageSpan, usageSpans } from '#lib/console/usage/read-usage'
import { pathWith } from '#lib/http/redirect'
import styles from './usage.module.css'

/** The choice between 30 and 365 days: links, so that it needs no script. */
export function UsageSpans({ href, span }: { href: string; span: UsageSpan }) {
  const t = useTranslations('consoleUsage')
  return (
    <nav aria-label={t('span')}>
      <ul className={styles.spans}>
        {usageSpans.map((days) => (
          <li key={days}>
            <a
              href={days === 30 ? href : pathWith(href, { days: String(days) })}
              aria-current={days === span ? 'true' : undefined}
            >
              {t(days === 30 ? 'days' : 'year')}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
