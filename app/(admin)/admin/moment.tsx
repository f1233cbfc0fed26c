import { useFormatter } from 'next-intl'

/** Shows a moment in the future, with the time of day. */
export function Moment({ at }: { at: Date }) {
  const format = useFormatter()
  return (
    <time dateTime={at.toISOString()} data-local>
      {`${format.dateTime(at, { dateStyle: 'long', timeStyle: 'short' })} UTC`}
    </time>
  )
}
