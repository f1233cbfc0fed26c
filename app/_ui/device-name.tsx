import { useTranslations } from 'next-intl'
import { describeDevice } from '#lib/account/activity/describe-device'

/** A browser and its system in words, from what it says of itself. */
export function DeviceName({ userAgent }: { userAgent: string }) {
  const t = useTranslations('activity')
  const { browser, system } = describeDevice(userAgent)
  if (browser && system) return t('browserOn', { browser, system })
  return browser ?? system ?? t('unknownDevice')
}
