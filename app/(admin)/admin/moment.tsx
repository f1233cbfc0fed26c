import { useFormatter } from 'next-intl'

/** Shows a moment in the future, with the time of day. */
export function Moment({ at }: { at: Date }) {
  const format = useFormatter()
  return <time dateTime={at.toISOString()}>{format.dateTime(at, { dateStyle: 'long', timeStyle: 'long' })}</time>
}
