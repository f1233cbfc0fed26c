import { useLocale, useTranslations } from 'next-intl'
import { nameOfPlace, placeOf } from '#lib/account/activity/place'

/** Returns the place of a network address in words; undefined when it is unknown. */
export function usePlaceName(address: string): string | undefined {
  const t = useTranslations('place')
  return nameOfPlace(placeOf(address), useLocale(), { here: t('here'), near: t('near'), inCity: t.raw('inCity') })
}

/** Returns the place; a country or a city is marked as an estimate. */
export function useApproximatePlace(address: string): string | undefined {
  const t = useTranslations('place')
  const name = usePlaceName(address)
  return name !== undefined && typeof placeOf(address) === 'object' ? t('approximate', { place: name }) : name
}
