import { useFormatter, useNow, useTranslations } from 'next-intl'

/** Shows how long ago a moment was; the exact time is in `datetime` and on hover. */
export function TimeAgo({ at }: { at: Date }) {
  const t = useTranslations('time')
  const format = useFormatter()
  const now = useNow()
  const exact = format.dateTime(at, { dateStyle: 'long', timeStyle: 'long' })
  // Shows "just now" for less than a minute, because relative times of seconds are of no use.
  const fresh = now.getTime() - at.getTime() < 60_000
  return (
    <time dateTime={at.toISOString()} title={exact}>
      {fresh ? t('justNow') : spaced(format.relativeTime(at, now))}
    </time>
  )
}

/** Puts a space between digits and Han characters, which CLDR leaves out in Simplified Chinese only. */
const spaced = (text: string) => text.replace(/(\d)(?=\p{Script=Han})/gu, '$1 ')
