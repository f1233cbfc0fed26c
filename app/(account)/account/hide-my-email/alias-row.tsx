import { useTranslations } from 'next-intl'
import { Avatar } from '#app/_ui/avatar.tsx'
import { pictureUrl } from '#app/_ui/picture-url.ts'
import rows from '#app/_ui/row-list.module.css'
import { TimeAgo } from '#app/_ui/time-ago.tsx'
import { RelayAddress } from '#app/(account)/account/hide-my-email/relay-address.tsx'
import { SwitchableState } from '#app/(account)/account/hide-my-email/switchable-state.tsx'
import { aliasState } from '#lib/account/hide-my-email/alias-state'
import { aliasPage } from '#lib/account/hide-my-email/change-alias'
import type { OwnAlias } from '#lib/account/hide-my-email/store'
import type { Person } from '#lib/account/signed-in/session'
import { aliasAddress } from '#lib/relay/recipient/local-part'
import type { Config } from '#lib/server/settings/config'
import styles from './hide-my-email.module.css'

/** One relay address in the list; the row links to its page, the address can be selected and copied. */
export function AliasRow({ alias, person, config, search }: AliasRowProps) {
  const t = useTranslations('hideMyEmail')
  const words = useTranslations('connections')
  const { app, byHand, name, label } = alias
  const appName = byHand ? t('byHand') : (app?.name ?? t('goneApp'))
  return (
    <li className={rows.row}>
      <Avatar kind="app" name={byHand ? label : appName} src={pictureUrl(config.issuer, app?.logoFile)} />
      <div className={rows.words}>
        <div className={styles.title}>
          <h2>
            <a href={aliasPage(name)} aria-describedby={`address-${name}`}>
              {label ? <bdi translate="no">{label}</bdi> : appName}
            </a>
          </h2>
          <SwitchableState id={`switch-${name}`} alias={alias} state={aliasState(alias, person)} search={search} />
        </div>
        {label && <p>{appName}</p>}
        {app && <p>{words('by', { team: app.team })}</p>}
        <RelayAddress id={`address-${name}`} address={aliasAddress(name, config.relayDomain)} />
        <Counts alias={alias} />
        {alias.note && (
          <p className={styles.note}>
            <bdi translate="no">{alias.note}</bdi>
          </p>
        )}
      </div>
    </li>
  )
}

function Counts({ alias: { since, forwarded, blocked, replied, lastMailAt } }: { alias: OwnAlias }) {
  const t = useTranslations('hideMyEmail.row')
  const any = forwarded + blocked + replied > 0
  return (
    <p className={styles.facts}>
      <span>{any ? t('forwarded', { count: forwarded }) : t('noMail')}</span>
      {blocked > 0 && <span>{t('blocked', { count: blocked })}</span>}
      {replied > 0 && <span>{t('replied', { count: replied })}</span>}
      {lastMailAt && <span>{t.rich('lastMail', { time: () => <TimeAgo at={lastMailAt} /> })}</span>}
      <span>{t.rich('since', { time: () => <TimeAgo at={since} /> })}</span>
    </p>
  )
}

type AliasRowProps = { alias: OwnAlias; person: Person; config: Config; search: string }
