import { useTranslations } from 'next-intl'
import { Avatar } from '#app/_ui/avatar.tsx'
import { BackLink } from '#app/_ui/back-link.tsx'
import { inOneLine } from '#app/_ui/in-one-line.ts'
import { pictureUrl } from '#app/_ui/picture-url.ts'
import rows from '#app/_ui/row-list.module.css'
import type { OwnAlias } from '#lib/account/hide-my-email/store'

/** The app of the address and the team that makes the app, or the label of an address made by hand. */
export function AliasHeading({ alias: { app, byHand, label }, issuer }: { alias: OwnAlias; issuer: string }) {
  const t = useTranslations('hideMyEmail')
  const words = useTranslations('connections')
  const name = byHand ? label : (app?.name ?? t('goneApp'))
  return (
    <>
      <BackLink href="/account/hide-my-email">{t('back')}</BackLink>
      <header className={rows.heading}>
        <Avatar kind="app" size="l" name={name} src={pictureUrl(issuer, app?.logoFile)} />
        <div>
          <h1>
            {app ? t('heading', { app: inOneLine(name) }) : <bdi translate={byHand ? 'no' : undefined}>{name}</bdi>}
          </h1>
          {byHand && <p>{t('byHand')}</p>}
          {label && !byHand && (
            <p>
              <bdi translate="no">{label}</bdi>
            </p>
          )}
          {app && <p>{words('by', { team: app.team })}</p>}
        </div>
      </header>
    </>
  )
}
