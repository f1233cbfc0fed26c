import { useFormatter, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import styles from './event-list.module.css'
import { dayOf, groupByDay } from './group-by-day.ts'

/** A list of events by day; `line` renders one event as a list item. */
export function EventDays<Event extends { at: Date }>({ events, now, line }: EventDaysProps<Event>) {
  const t = useTranslations('activity')
  const format = useFormatter()
  const yesterday = dayOf(new Date(now.getTime() - 86_400_000))
  const nameOf = (day: string) => {
    if (day === dayOf(now)) return t('today')
    return day === yesterday ? t('yesterday') : format.dateTime(new Date(day), { dateStyle: 'full', timeZone: 'UTC' })
  }
  return (
    <>
      {groupByDay(events).map(({ day, items }) => (
        <section key={day} className={styles.day} aria-labelledby={`day-${day}`}>
          <h2 id={`day-${day}`}>{nameOf(day)}</h2>
          <ul>{items.map(line)}</ul>
        </section>
      ))}
      <p className={styles.note}>{t('utc')}</p>
    </>
  )
}

type EventDaysProps<Event> = { events: Event[]; now: Date; line: (event: Event, index: number) => ReactNode }
