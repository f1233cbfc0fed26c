import { useTranslations } from 'next-intl'
import { Avatar } from '#app/_ui/avatar.tsx'
import { Card } from '#app/_ui/card.tsx'
import { pictureUrl } from '#app/_ui/picture-url.ts'
import { appPage } from '#lib/account/connected-apps/connected-apps'
import type { Connection } from '#lib/account/connected-apps/connection'
import styles from './overview.module.css'

const shown = 4

/** The apps that the person shared with last. */
export function AppsSummary({ connections, issuer }: { connections: Connection[]; issuer: string }) {
  const t = useTranslations('overview.apps')
  return (
    <Card title={t('title')}>
      {connections.length === 0 ? (
        <p>{t('none')}</p>
      ) : (
        <ul className={styles.apps}>
          {connections.slice(0, shown).map(({ app }) => (
            <li key={app.id}>
              <Avatar kind="app" name={app.name} src={pictureUrl(issuer, app.logoFile)} size="s" />
              <a href={appPage(app.id)}>{app.name}</a>
            </li>
          ))}
        </ul>
      )}
      <p>
        <a href="/account/apps">{t('more', { count: connections.length })}</a>
      </p>
    </Card>
  )
}
