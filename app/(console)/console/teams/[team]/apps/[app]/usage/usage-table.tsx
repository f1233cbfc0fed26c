import { useFormatter, useTranslations } from 'next-intl'
import { Table } from '#app/_ui/table.tsx'
import { type UsagePeriod, type UsageSpan, usageCounts } from '#lib/console/usage/read-usage'
import styles from './usage.module.css'

/** All numbers of the charts as a table, folded; the latest period first. */
export function UsageTable({ periods, span }: { periods: UsagePeriod[]; span: UsageSpan }) {
  const t = useTranslations('consoleUsage')
  const format = useFormatter()
  return (
    <details className={styles.table}>
      <summary>{t('table')}</summary>
      <Table
        label={t('table')}
        head={[t(span === 30 ? 'day' : 'week'), ...usageCounts.map((what) => t(`counts.${what}`))]}
      >
        {periods.toReversed().map(({ from, counts }) => (
          <tr key={from.getTime()}>
            <th scope="row">
              <time dateTime={from.toISOString().slice(0, 10)}>{format.dateTime(from, { dateStyle: 'medium' })}</time>
            </th>
            {usageCounts.map((what) => (
              <td key={what}>{format.number(counts[what])}</td>
            ))}
          </tr>
        ))}
      </Table>
    </details>
  )
}
