import { useFormatter, useTranslations } from 'next-intl'
import { useScopeNames } from '#app/_sharing/scope-names.ts'
import { hasValue } from '#app/_sharing/shared-value.tsx'
import { isWorded } from '#app/_sharing/worded-scopes.ts'
import { Avatar } from '#app/_ui/avatar.tsx'
import { pictureUrl } from '#app/_ui/picture-url.ts'
import rows from '#app/_ui/row-list.module.css'
import { appPage } from '#lib/account/connected-apps/connected-apps'
import type { Connection } from '#lib/account/connected-apps/connection'
import type { Person } from '#lib/account/signed-in/session'
import { AppTimes } from './app-times.tsx'
import styles from './apps.module.css'

/** One app in the list; the whole row links to its page. */
export function AppRow({ connection, person, issuer }: { connection: Connection; person: Person; issuer: string }) {
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
        <Sees {...connection} person={person} />
        <AppTimes {...connection} />
      </div>
    </li>
  )
}

/** Names the data that the app receives, and the data that the person agreed to share but has not set. */
function Sees({ consent: { granted, emailChoice }, person }: Pick<Connection, 'consent'> & { person: Person }) {
  const t = useTranslations('connections')
  const words = useTranslations('consent')
  const format = useFormatter()
  const isSent = (scope: string) => !isWorded(scope) || hasValue(scope, person)
  const names = useScopeNames(granted.filter(isSent), emailChoice)
  const empty = useScopeNames(
    granted.filter((scope) => !isSent(scope)),
    emailChoice,
  )
  return (
    <>
      <p className={styles.sees}>{names.length > 0 ? t('sees', { names: format.list(names) }) : t('seesOnlyYou')}</p>
      {empty.length > 0 && <p className={styles.note}>{words('empty', { names: format.list(empty) })}</p>}
    </>
  )
}
