import { useFormatter, useTranslations } from 'next-intl'
import { useScopeNames } from '#app/_sharing/scope-names.ts'
import { Avatar } from '#app/_ui/avatar.tsx'
import { pictureUrl } from '#app/_ui/picture-url.ts'
import rows from '#app/_ui/row-list.module.css'
import { appPage } from '#lib/account/connected-apps/connected-apps'
import type { Connection } from '#lib/account/connected-apps/connection'
import { AppTimes } from './app-times.tsx'
import styles from './apps.module.css'

/** One app in the list; the whole row links to its page. */
export function AppRow({ connection, issuer }: { connection: Connection; issuer: string }) {
  const t = useTranslations('connections')
  const { app } = connection
  return (
    <li className={rows.row}>
      <Avatar kind="app" name={app.name} src={pictureUrl(issuer, app.logoFile)} />
      <div className={rows.words}>
        <h2>
          <a href={appPage(app.id)}>{app.name}</a>
        </h2>
        <p>{t('by', { team: app.team })}</p>
        <Sees {...connection} />
        <AppTimes {...connection} />
      </div>
    </li>
  )
}

function Sees({ consent: { granted, emailChoice } }: Connection) {
  const t = useTranslations('connections')
  const format = useFormatter()
  const names = useScopeNames(granted, emailChoice)
  return <p className={styles.sees}>{names.length > 0 ? t('sees', { names: format.list(names) }) : t('seesOnlyYou')}</p>
}
