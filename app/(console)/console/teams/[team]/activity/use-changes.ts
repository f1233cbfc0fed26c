import { useTranslations } from 'next-intl'
import type { Act } from '#lib/console/audit/act'
import type { Messages } from '#lib/text/messages'

type Field = keyof Messages['console']['activity']['fields']
type Role = keyof Messages['console']['roles']

/** Returns a line of text for each value that an act changed. */
export function useChanges({ before, after }: Act): string[] {
  const t = useTranslations('console')
  const shownValue = (field: string, value: string | undefined) => {
    if (value === undefined || value === '') return t('activity.none')
    return field === 'role' && t.has(`roles.${value as Role}`) ? t(`roles.${value as Role}`) : value
  }
  const nameOf = (field: string) =>
    t.has(`activity.fields.${field as Field}`) ? t(`activity.fields.${field as Field}`) : field
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].map((field) => {
    const names = { field: nameOf(field), after: shownValue(field, after[field]) }
    if (!(field in before)) return t('activity.set', names)
    return t('activity.changed', { ...names, before: shownValue(field, before[field]) })
  })
}
