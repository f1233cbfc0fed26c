import { useLocale, useTranslations } from 'next-intl'
import { nameOfPlace, placeOf } from '#lib/account/activity/describe-event'

/** Returns the place of a network address in words; undefined when it is unknown. */
export function usePlaceName(address: string): string | undefined {
  const t = useTranslations('place')
  return nameOfPlace(placeOf(address), useLocale(), { here: t('here'), near: t('near') })
}

/** Returns the place with a country marked as an estimate. */
export function useApproximatePlace(address: string): string | undefined {
  const t = useTranslations('place')
  const name = usePlaceName(address)
  return name !== undefined && typeof placeOf(address) === 'object' ? t('approximate', { place: name }) : name
}
