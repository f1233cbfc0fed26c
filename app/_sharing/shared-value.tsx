import { useFormatter, useLocale, useTranslations } from 'next-intl'
import type { ReactElement } from 'react'
import { regionName } from '#app/_sharing/region-name.ts'
import type { WordedScope } from '#app/_sharing/worded-scopes.ts'
import { Avatar } from '#app/_ui/avatar.tsx'
import { pictureUrl } from '#app/_ui/picture-url.ts'
import type { Person } from '#lib/account/signed-in/session'
import { isLocale, localeNames } from '#lib/text/messages'
import styles from './shared-value.module.css'

/** Returns whether an app would receive a value for this scope. */
export const hasValue = (scope: WordedScope, person: Person): boolean => {
  if (scope === 'openid') return true
  return Boolean(scope === 'picture' ? person.avatarFile : person[scope === 'preferred_username' ? 'username' : scope])
}

/** The value that an app would receive, in the page's language; says so when it is unset. */
export function SharedValue(shared: SharedValueProps) {
  const t = useTranslations('scopes')
  const value = useValue(shared)
  return value ? <bdi className={styles.value}>{value}</bdi> : t('unset')
}

function useValue({ scope, person, team, issuer }: SharedValueProps): ReactElement | string | undefined {
  const t = useTranslations('scopes')
  const format = useFormatter()
  const locale = useLocale()
  switch (scope) {
    case 'openid':
      return t('subject', { team })
    case 'preferred_username':
      return person.username
    case 'picture':
      return person.avatarFile && <ThisPicture name={person.name} src={pictureUrl(issuer, person.avatarFile)} />
    case 'gender':
      return person.gender && t(`genders.${person.gender as Gender}`)
    case 'birthdate':
      return person.birthdate && format.dateTime(new Date(person.birthdate), { dateStyle: 'long', timeZone: 'UTC' })
    case 'region':
      return person.region && regionName(person.region, locale)
    case 'locale':
      return isLocale(person.locale) ? localeNames[person.locale] : person.locale
    default:
      return person[scope]
  }
}

function ThisPicture({ name, src }: { name: string; src: string | undefined }) {
  const t = useTranslations('scopes')
  return (
    <span className={styles.picture}>
      <Avatar name={name} src={src} />
      {t('thisPicture')}
    </span>
  )
}

type SharedValueProps = { scope: WordedScope; person: Person; team: string; issuer: string }

type Gender = 'male' | 'female' | 'other'
