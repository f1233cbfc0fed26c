import { useFormatter } from 'next-intl'

/** Shows a date; the exact time is in `datetime` and on hover. */
export function Day({ at }: { at: Date }) {
  const format = useFormatter()
  return (
    <time dateTime={at.toISOString()} title={format.dateTime(at, { dateStyle: 'long', timeStyle: 'long' })}>
      {format.dateTime(at, { dateStyle: 'long' })}
    </time>
  )
}
