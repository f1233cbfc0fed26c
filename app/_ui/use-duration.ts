import { useTranslations } from 'next-intl'

const longestInSeconds = 120

/** How long somebody has to wait, in words: nobody counts to a thousand. */
export function useDuration(): (seconds: number | undefined) => string {
  const t = useTranslations('duration')
  return (seconds = 0) =>
    seconds > longestInSeconds ? t('minutes', { count: Math.ceil(seconds / 60) }) : t('seconds', { count: seconds })
}
