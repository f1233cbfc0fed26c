import { useTranslations } from 'next-intl'
import { Avatar } from '#app/_ui/avatar.tsx'
import rows from '#app/_ui/row-list.module.css'
import { teamOfOperators } from '#lib/admin/paths'
import type { ListedTeam } from '#lib/admin/teams/store'

/** The teams of a search; each row links to the page about the team. */
export function TeamRows({ teams }: { teams: ListedTeam[] }) {
  const t = useTranslations('admin.teams')
  return (
    <ul className={rows.list} aria-label={t('title')}>
      {teams.map(({ id, name, apps, members }) => (
        <li key={id} className={rows.row}>
          <Avatar kind="app" name={name} />
          <div className={rows.words}>
            <h2>
              <a href={teamOfOperators(id)}>
                <bdi translate="no">{name}</bdi>
              </a>
            </h2>
            <p>
              <code translate="no">{id}</code>
            </p>
            <p>{t('counts', { apps, members })}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}
