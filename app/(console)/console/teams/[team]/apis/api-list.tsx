import { useTranslations } from 'next-intl'
import { Avatar } from '#app/_ui/avatar.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { EmptyState } from '#app/_ui/empty-state.tsx'
import { Icon } from '#app/_ui/icon.tsx'
import rows from '#app/_ui/row-list.module.css'
import { Tag } from '#app/_ui/tag.tsx'
import { apiPage, teamPage } from '#lib/console/paths'
import type { TeamApi } from '#lib/console/team-apis/store'
import { pathWith } from '#lib/http/redirect'

/** The APIs of a team; each row links to the page of the API. */
export function ApiList({ team, apis, mayChange }: { team: string; apis: TeamApi[]; mayChange: boolean }) {
  const t = useTranslations('consoleApis')
  const apps = useTranslations('consoleApps')
  const register = mayChange && (
    <ButtonLink href={pathWith(teamPage(team, 'new-app'), { kind: 'api' })} icon={<Icon name="plus" />}>
      {t('kind.choose')}
    </ButtonLink>
  )
  if (apis.length === 0)
    return (
      <EmptyState icon="app" title={t('empty')} {...(register && { action: register })}>
        {t('emptyWhat')}
      </EmptyState>
    )
  return (
    <>
      {register && <div>{register}</div>}
      <ul className={rows.list} aria-label={t('title')}>
        {apis.map(({ identifier, name, scopes, waitingScopes }) => (
          <li key={identifier} className={rows.row}>
            <Avatar kind="app" name={name} />
            <div className={rows.words}>
              <h2>
                <a href={apiPage(team, identifier)}>
                  <bdi translate="no">{name}</bdi>
                </a>
                {waitingScopes.length > 0 && <Tag>{apps('review.tag')}</Tag>}
              </h2>
              <p>
                <code translate="no">{identifier}</code>
              </p>
              <p translate="no">{scopes.join(' ')}</p>
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}
