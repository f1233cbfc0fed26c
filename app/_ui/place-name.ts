import { useLocale, useTranslations } from 'next-intl'
import { nameOfPlace, placeOf } from '#lib/account/activity/place'

/** Where an address of the network is, in words; nothing where nobody knows. */
export function usePlaceName(address: string): string | undefined {
  const t = useTranslations('place')
  return nameOfPlace(placeOf(address), useLocale(), { here: t('here'), near: t('near') })
}
