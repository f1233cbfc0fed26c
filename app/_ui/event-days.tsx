import { useFormatter, useTimeZone, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { dayBefore, dayOf } from '#lib/text/region/time-form'
import styles from './event-list.module.css'
import { groupByDay } from './group-by-day.ts'

/** A list of events by day; `line` renders one event as a list item. */
export function EventDays<Event extends { at: Date }>({ events, now, line }: EventDaysProps<Event>) {
  const t = useTranslations('activity')
  const format = useFormatter()
  const timeZone = useTimeZone() ?? 'UTC'
  const today = dayOf(now, timeZone)
  const nameOf = (day: string) => {
    if (day === today) return t('today')
    return day === dayBefore(today)
      ? t('yesterday')
      : format.dateTime(new Date(day), { dateStyle: 'full', timeZone: 'UTC' })
  }
  return (
    <>
      {groupByDay(events, timeZone).map(({ day, items }) => (
        <section key={day} className={styles.day} aria-labelledby={`day-${day}`}>
          <h2 id={`day-${day}`}>{nameOf(day)}</h2>
          <ul>{items.map(line)}</ul>
        </section>
      ))}
      {timeZone === 'UTC' && <p className={styles.note}>{t('utc')}</p>}
    </>
  )
}

type EventDaysProps<Event> = { events: Event[]; now: Date; line: (event: Event, index: number) => ReactNode }
