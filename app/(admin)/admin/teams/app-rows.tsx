import { useTranslations } from 'next-intl'
import { Avatar } from '#app/_ui/avatar.tsx'
import rows from '#app/_ui/row-list.module.css'
import { Tag } from '#app/_ui/tag.tsx'
import { appOfOperators } from '#lib/admin/paths'

/** Apps; each row links to the page about the app, and names its team if the list is not about one team. */
export function AppRows({ apps }: { apps: { id: string; name: string; isClosed: boolean; team?: string }[] }) {
  const t = useTranslations('admin.teams')
  return (
    <ul className={rows.list} aria-label={t('apps')}>
      {apps.map(({ id, name, team, isClosed }) => (
        <li key={id} className={rows.row}>
          <Avatar kind="app" name={name} />
          <div className={rows.words}>
            <h2>
              <a href={appOfOperators(id)}>
                <bdi translate="no">{name}</bdi>
              </a>
              {isClosed && <Tag>{t('closed')}</Tag>}
            </h2>
            <p>
              <code translate="no">{id}</code>
            </p>
            {team !== undefined && <p>{t('appsOf', { team })}</p>}
          </div>
        </li>
      ))}
    </ul>
  )
}
