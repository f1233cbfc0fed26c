import { useFormatter, useTranslations } from 'next-intl'
import type { Activity } from '#lib/account/activity/activity'
import { ActivityLine } from './activity-line.tsx'
import styles from './activity-list.module.css'
import { dayOf, groupByDay } from './group-by-day.ts'

/** The events, by day. */
export function ActivityList({ activities, now }: { activities: Activity[]; now: Date }) {
  const t = useTranslations('activity')
  const format = useFormatter()
  const yesterday = dayOf(new Date(now.getTime() - 86_400_000))
  const nameOf = (day: string) => {
    if (day === dayOf(now)) return t('today')
    return day === yesterday ? t('yesterday') : format.dateTime(new Date(day), { dateStyle: 'full', timeZone: 'UTC' })
  }
  return (
    <>
      {groupByDay(activities).map(({ day, items }) => (
        <section key={day} className={styles.day} aria-labelledby={`day-${day}`}>
          <h2 id={`day-${day}`}>{nameOf(day)}</h2>
          <ul>
            {items.map((activity, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines keep their place.
              <ActivityLine key={index} activity={activity} />
            ))}
          </ul>
        </section>
      ))}
      <p className={styles.note}>{t('utc')}</p>
    </>
  )
}
