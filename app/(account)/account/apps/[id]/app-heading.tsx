import { useTranslations } from 'next-intl'
import { Avatar } from '#app/_ui/avatar.tsx'
import { BackLink } from '#app/_ui/back-link.tsx'
import { Notice } from '#app/_ui/notice.tsx'
import { pictureUrl } from '#app/_ui/picture-url.ts'
import rows from '#app/_ui/row-list.module.css'
import { AppTimes } from '#app/(account)/account/apps/app-times.tsx'
import styles from '#app/(account)/account/apps/apps.module.css'
import type { Connection } from '#lib/account/connected-apps/connection'

/** The app, its team, its home page, and the date since which data is shared with it. */
export function AppHeading({ connection, issuer }: { connection: Connection; issuer: string }) {
  const t = useTranslations('connections')
  const { app } = connection
  return (
    <>
      <BackLink href="/account/apps">{t('back')}</BackLink>
      <header className={rows.heading}>
        <Avatar kind="app" size="l" name={app.name} src={pictureUrl(issuer, app.logoFile)} />
        <div>
          <h1>{app.name}</h1>
          <p className={styles.makers}>
            <span>{t('by', { team: app.team })}</span>
            {app.homepage && (
              <a href={app.homepage} rel="noreferrer">
                {new URL(app.homepage).host}
              </a>
            )}
          </p>
          <AppTimes {...connection} />
        </div>
      </header>
      {app.disabled && <Notice kind="attention" title={t('disabled')} />}
    </>
  )
}
