import { useTranslations } from 'next-intl'
import type { Act } from '#lib/console/audit/act'
import type { Messages } from '#lib/text/messages'

type Field = keyof Messages['console']['activity']['fields']
type Role = keyof Messages['console']['roles']
type Apps = Messages['consoleApps']

/** A longer value is cut: the trail shows what changed, and the app's page shows the whole value. */
const longest = 200

/** Returns a line of text for each value that an act changed. */
export function useChanges({ before, after }: Act): string[] {
  const t = useTranslations('console')
  const worded = useWordedValue()
  const shownValue = (field: string, value: string | undefined) => {
    if (value === undefined || value === '') return t('activity.none')
    return worded(field, value) ?? (value.length > longest ? `${value.slice(0, longest)}…` : value)
  }
  const nameOf = (field: string) =>
    t.has(`activity.fields.${field as Field}`) ? t(`activity.fields.${field as Field}`) : field
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].map((field) => {
    const names = { field: nameOf(field), after: shownValue(field, after[field]) }
    if (!(field in before)) return t('activity.set', names)
    return t('activity.changed', { ...names, before: shownValue(field, before[field]) })
  })
}

/** Returns the words of a value that is one of a few; undefined for any other text. */
function useWordedValue() {
  const t = useTranslations()
  return (field: string, value: string): string | undefined => {
    if (field === 'role' && t.has(`console.roles.${value as Role}`)) return t(`console.roles.${value as Role}`)
    const [email, kind, profile] = [
      value as keyof Apps['email'],
      value as keyof Apps['kinds'],
      value as keyof Apps['profiles'],
    ]
    if (field === 'email' && t.has(`consoleApps.email.${email}`)) return t(`consoleApps.email.${email}`)
    if (field === 'kind' && t.has(`consoleApps.kinds.${kind}.title`)) return t(`consoleApps.kinds.${kind}.title`)
    if (field === 'profile' && t.has(`consoleApps.profiles.${profile}`)) return t(`consoleApps.profiles.${profile}`)
    return undefined
  }
}
