import { useFormatter, useTranslations } from 'next-intl'
import { barsOf } from '#lib/console/usage/bars'
import { type UsageCount, type UsagePeriod, type UsageSpan, usageCounts } from '#lib/console/usage/read-usage'
import styles from './usage.module.css'

const mail: readonly UsageCount[] = ['forwarded', 'blocked', 'replied']

/** A small chart for each count; those of mail only if there was mail. */
export function UsageCharts({ periods, totals, span }: UsageChartsProps) {
  const hasMail = mail.some((what) => totals[what] > 0)
  const shown = usageCounts.filter((what) => hasMail || !mail.includes(what))
  return (
    <div className={styles.charts}>
      {shown.map((what) => (
        <UsageChart key={what} what={what} periods={periods} total={totals[what]} span={span} />
      ))}
    </div>
  )
}

type UsageChartsProps = { periods: UsagePeriod[]; totals: Record<UsageCount, number>; span: UsageSpan }

const size = { width: 300, height: 60 }

function UsageChart({
  what,
  periods,
  total,
  span,
}: {
  what: UsageCount
  periods: UsagePeriod[]
  total: number
  span: UsageSpan
}) {
  const t = useTranslations('consoleUsage')
  const format = useFormatter()
  const id = `usage-${what}`
  const numbers = periods.map(({ counts }) => counts[what])
  const greatest = Math.max(...numbers)
  const peak = periods[numbers.lastIndexOf(greatest)] as UsagePeriod
  const day = (at: Date) => format.dateTime(at, { day: 'numeric', month: 'short' })
  const values = { total, most: greatest, day: day(peak.from) }
  return (
    <section className={styles.chart} aria-labelledby={id}>
      <h2 id={id}>{t(`counts.${what}`)}</h2>
      <p className={styles.total}>{format.number(total)}</p>
      <svg
        className={styles.bars}
        viewBox={`0 0 ${size.width} ${size.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-desc`}
      >
        <title id={`${id}-title`}>{t(`counts.${what}`)}</title>
        <desc id={`${id}-desc`}>{total === 0 ? t('none') : t(span === 30 ? 'chart' : 'chartWeeks', values)}</desc>
        {barsOf(numbers, size).map((bar, at) => (
          <rect key={(periods[at] as UsagePeriod).from.getTime()} {...bar} />
        ))}
      </svg>
      <p className={styles.ends}>
        <span>{day((periods[0] as UsagePeriod).from)}</span>
        <span>{day((periods.at(-1) as UsagePeriod).to)}</span>
      </p>
    </section>
  )
}
