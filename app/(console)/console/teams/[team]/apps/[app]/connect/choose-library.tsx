import { useTranslations } from 'next-intl'
import type { TeamApp } from '#lib/console/app/store'
import { appPage } from '#lib/console/paths'
import type { Snippet } from '#lib/console/snippets/snippet'
import { pathWith } from '#lib/http/redirect'
import styles from './connect.module.css'

/** Links to the page of each library that fits the app. */
export function ChooseLibrary({ app, snippets, chosen }: { app: TeamApp; snippets: Snippet[]; chosen: string }) {
  const t = useTranslations('consoleConnect')
  const page = appPage(app.teamId, app.id, 'connect')
  return (
    <nav aria-label={t('libraries')}>
      <ul className={styles.libraries}>
        {snippets.map(({ id, library, version }) => (
          <li key={id}>
            <a href={pathWith(page, { library: id })} aria-current={id === chosen ? 'true' : undefined} translate="no">
              {library} {id === 'openid-client-5' && version?.split('.')[0]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
