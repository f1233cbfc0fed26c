import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readAccountPage } from '#app/_page/account-page.ts'
import { withAppInLanguage } from '#app/_page/page-context.ts'
import { EmptyState } from '#app/_ui/empty-state.tsx'
import rows from '#app/_ui/row-list.module.css'
import { AppRow } from './app-row.tsx'
import styles from './apps.module.css'
import { Outcome } from './outcome.tsx'

/** The connected apps: the data each may see, since when, and when it last received tokens. */
export default async function ConnectedAppsPage() {
  const { context, person, flashOf } = await readAccountPage('/account/apps')
  const t = await getTranslations('connections')
  const { issuer, serviceName: service } = context.config
  const [stored, flash] = await Promise.all([context.connections.listConnections(person.id), flashOf('connected-apps')])
  const connections = await Promise.all(stored.map(withAppInLanguage))
  return (
    <>
      <header className={styles.heading}>
        <h1>{t('title')}</h1>
        <p>{t('lede')}</p>
      </header>
      <Outcome flash={flash} />
      {connections.length === 0 ? (
        <EmptyState icon="app" title={t('empty.title')}>
          {t('empty.text', { service })}
        </EmptyState>
      ) : (
        <ul className={rows.list}>
          {connections.map((connection) => (
            <AppRow key={connection.app.id} connection={connection} person={person} issuer={issuer} />
          ))}
        </ul>
      )}
    </>
  )
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('connections')
  return { title: t('title') }
}
