import { useLocale, useTranslations } from 'next-intl'
import { nameOfPlace, placeOf } from '#lib/account/activity/place'

/** Returns the place of a network address in words; undefined when it is unknown. */
export function usePlaceName(address: string): string | undefined {
  const t = useTranslations('place')
  return nameOfPlace(placeOf(address), useLocale(), {
    here: t('here'),
    near: t('near'),
    inCity: t.raw('inCity'),
    approximate: t.raw('approximate'),
  })
}
