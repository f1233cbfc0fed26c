import { useTranslations } from 'next-intl'
import { describeDevice } from '#lib/account/activity/describe-event'

/** Shows browser and system of a User-Agent. */
export function DeviceName({ userAgent }: { userAgent: string }) {
  const t = useTranslations('activity')
  const { browser, system } = describeDevice(userAgent)
  if (browser && system) return t('browserOn', { browser, system })
  return browser ?? system ?? t('unknownDevice')
}
