import { useTranslations } from 'next-intl'
import { Avatar } from '#app/_ui/avatar.tsx'
import { pictureUrl } from '#app/_ui/picture-url.ts'
import { Rail } from '#app/_ui/rail.tsx'
import type { Person } from '#lib/account/signed-in/session'
import { consoleHome } from '#lib/console/paths'
import type { OwnTeam } from '#lib/console/team/store'
import { sectionsOf } from './sections.ts'

/** The team and the navigation of its pages; the person, on pages that are about no team. */
export function ConsoleRail({ person, issuer, team, path }: ConsoleRailProps) {
  const t = useTranslations('console')
  if (!team) {
    const name = person.name || person.username
    return (
      <Rail
        picture={<Avatar name={name} src={pictureUrl(issuer, person.avatarFile)} />}
        name={name}
        second={t('title')}
        leave={{ href: '/account', text: t('yourAccount') }}
        label={t('title')}
        sections={[]}
      />
    )
  }
  return (
    <Rail
      picture={<Avatar kind="app" name={team.name} />}
      name={team.name}
      second={t(`roles.${team.role}`)}
      leave={{ href: consoleHome, text: t('allTeams') }}
      label={t('nav')}
      sections={sectionsOf(team.id, path).map(({ key, ...section }) => ({ ...section, text: t(`sections.${key}`) }))}
    />
  )
}

type ConsoleRailProps = { person: Person; issuer: string; team: OwnTeam | undefined; path: string }
