import { useFormatter, useNow } from 'next-intl'

/** When something happened, in words; the exact moment in `datetime` and on hover. */
export function TimeAgo({ at }: { at: Date }) {
  const format = useFormatter()
  const now = useNow()
  const exact = format.dateTime(at, { dateStyle: 'long', timeStyle: 'long' })
  return (
    <time dateTime={at.toISOString()} title={exact} data-local>
      {format.relativeTime(at, now)}
    </time>
  )
}
