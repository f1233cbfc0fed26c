import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Avatar } from '#app/_ui/avatar.tsx'
import { Card } from '#app/_ui/card.tsx'
import { pictureUrl } from '#app/_ui/picture-url.ts'
import { TimeAgo } from '#app/_ui/time-ago.tsx'
import { StateLabel } from '#app/(account)/account/hide-my-email/state-label.tsx'
import { appPage } from '#lib/account/connected-apps/connected-apps'
import type { Connection } from '#lib/account/connected-apps/connection'
import { aliasState } from '#lib/account/hide-my-email/alias-state'
import { aliasPage } from '#lib/account/hide-my-email/change-alias'
import type { OwnAlias } from '#lib/account/hide-my-email/store'
import type { Person } from '#lib/account/signed-in/session'
import type { Config } from '#lib/server/settings/config'
import styles from './overview.module.css'

const most = 3

/** The latest connected apps, and the way to all of them. */
export function AppSummary({ connections, issuer }: { connections: Connection[]; issuer: string }) {
  const t = useTranslations('overview.apps')
  const words = useTranslations('connections')
  return (
    <Summary title={t('title')} none={t('none')} all={t('all', { count: connections.length })} href="/account/apps">
      {connections.slice(0, most).map(({ app, since }) => (
        <Row
          key={app.id}
          id={`app-${app.id}`}
          name={app.name}
          src={pictureUrl(issuer, app.logoFile)}
          href={appPage(app.id)}
        >
          <span>{words.rich('since', { time: () => <TimeAgo at={since} /> })}</span>
        </Row>
      ))}
    </Summary>
  )
}

/** The latest relay addresses with their states, and the way to all of them. */
export function AliasSummary({ aliases, person, config }: AliasSummaryProps) {
  const t = useTranslations('overview.relay')
  const words = useTranslations('hideMyEmail')
  const all = t('all', { count: aliases.length })
  return (
    <Summary title={t('title')} none={t('none')} all={all} href="/account/hide-my-email">
      {aliases.slice(0, most).map((alias) => (
        <Row
          key={alias.name}
          id={`relay-${alias.name}`}
          name={alias.label || (alias.app?.name ?? words('goneApp'))}
          src={pictureUrl(config.issuer, alias.app?.logoFile)}
          href={aliasPage(alias.name)}
        >
          <StateLabel state={aliasState(alias, person)} />
        </Row>
      ))}
    </Summary>
  )
}

function Summary({ title, none, all, href, children }: SummaryProps) {
  return (
    <Card title={title}>
      {children.length === 0 ? (
        <p>{none}</p>
      ) : (
        <>
          <ul className={styles.rows}>{children}</ul>
          <p>
            <a href={href}>{all}</a>
          </p>
        </>
      )}
    </Card>
  )
}

function Row({ id, name, src, href, children }: RowProps) {
  return (
    <li className={styles.row}>
      <Avatar kind="app" name={name} src={src} size="s" />
      <div>
        <p>
          <a href={href} aria-describedby={id}>
            <bdi translate="no">{name}</bdi>
          </a>
        </p>
        <div id={id} className={styles.facts}>
          {children}
        </div>
      </div>
    </li>
  )
}

type AliasSummaryProps = { aliases: OwnAlias[]; person: Person; config: Config }
type SummaryProps = { title: string; none: string; all: string; href: string; children: ReactNode[] }
type RowProps = { id: string; name: string; src: string | undefined; href: string; children: ReactNode }
