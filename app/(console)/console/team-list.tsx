import { useTranslations } from 'next-intl'
import { Avatar } from '#app/_ui/avatar.tsx'
import rows from '#app/_ui/row-list.module.css'
import { teamPage } from '#lib/console/paths'
import type { OwnTeam } from '#lib/console/team/store'

/** The person's teams; each row links to the team's page. */
export function TeamList({ teams }: { teams: OwnTeam[] }) {
  const t = useTranslations('console')
  return (
    <ul className={rows.list}>
      {teams.map(({ id, name, role, apps, members }) => (
        <li key={id} className={rows.row}>
          <Avatar kind="app" name={name} />
          <div className={rows.words}>
            <h2>
              <a href={teamPage(id)}>
                <bdi translate="no">{name}</bdi>
              </a>
            </h2>
            <p>{t(`roles.${role}`)}</p>
            <p>{t('teams.counts', { apps, members })}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}
