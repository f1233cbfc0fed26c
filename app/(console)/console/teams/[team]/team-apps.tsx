import { useTranslations } from 'next-intl'
import { Avatar } from '#app/_ui/avatar.tsx'
import rows from '#app/_ui/row-list.module.css'
import { Tag } from '#app/_ui/tag.tsx'
import { appPage } from '#lib/console/paths'
import type { TeamApp } from '#lib/console/team/store'

/** The apps of a team; each row links to the app's page. */
export function TeamApps({ team, apps }: { team: string; apps: TeamApp[] }) {
  const t = useTranslations('console.overview')
  return (
    <ul className={rows.list} aria-label={t('apps')}>
      {apps.map(({ id, name, kind, isDisabled }) => (
        <li key={id} className={rows.row}>
          <Avatar kind="app" name={name} />
          <div className={rows.words}>
            <h2>
              <a href={appPage(team, id)}>
                <bdi translate="no">{name}</bdi>
              </a>
              {isDisabled && <Tag>{t('disabled')}</Tag>}
            </h2>
            <p>{t(`kinds.${kind}`)}</p>
            <p>
              <code translate="no">{id}</code>
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}
