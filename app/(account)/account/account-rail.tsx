import { useTranslations } from 'next-intl'
import { Avatar } from '#app/_ui/avatar.tsx'
import { pictureUrl } from '#app/_ui/picture-url.ts'
import { Rail } from '#app/_ui/rail.tsx'
import type { Person } from '#lib/account/signed-in/session'
import { isCurrent, type Offers, sectionsFor } from './sections.ts'

/** The signed-in account and the navigation of its pages. */
export function AccountRail({ person, issuer, path, offers }: AccountRailProps) {
  const t = useTranslations('account')
  const name = person.name || person.username
  return (
    <Rail
      picture={<Avatar name={name} src={pictureUrl(issuer, person.avatarFile)} />}
      name={name}
      second={
        person.name && (
          <bdi title={person.username} translate="no">
            {person.username}
          </bdi>
        )
      }
      leave={{ href: '/logout', text: t('signOut') }}
      label={t('nav')}
      sections={sectionsFor(offers).map(({ key, path: href, icon }) => ({
        href,
        icon,
        text: t(`sections.${key}`),
        isCurrent: isCurrent(href, path),
      }))}
    />
  )
}

type AccountRailProps = { person: Person; issuer: string; path: string; offers: Offers }
