import { useTranslations } from 'next-intl'

/** The longest durations shown in seconds and in minutes. */
const [longestInSeconds, longestInMinutes] = [120, 7200]

/** Formats a waiting time in the unit that fits. */
export function useDuration(): (seconds: number | undefined) => string {
  const t = useTranslations('duration')
  return (seconds = 0) => {
    if (seconds > longestInMinutes) return t('hours', { count: Math.ceil(seconds / 3600) })
    return seconds > longestInSeconds
      ? t('minutes', { count: Math.ceil(seconds / 60) })
      : t('seconds', { count: seconds })
  }
}
