import { useTranslations } from 'next-intl'
import { Avatar } from '#app/_ui/avatar.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { Card } from '#app/_ui/card.tsx'
import { pictureUrl } from '#app/_ui/picture-url.ts'
import type { AppWithAddress } from '#lib/account/email/store'
import styles from './apps-in-the-way.module.css'

/** The apps that rely on the address, each with a link to its page. */
export function AppsInTheWay({ apps, issuer }: { apps: AppWithAddress[]; issuer: string }) {
  const t = useTranslations('email')
  return (
    <Card
      title={t('needed', { count: apps.length })}
      actions={
        <>
          <ButtonLink href="/account/email/change" look="secondary">
            {t('change')}
          </ButtonLink>
          <ButtonLink href="/account/email" look="quiet">
            {t('keep')}
          </ButtonLink>
        </>
      }
    >
      <p>{t('neededWhy')}</p>
      <ul className={styles.apps}>
        {apps.map(({ id, name, logoFile }) => (
          <li key={id}>
            <Avatar kind="app" name={name} src={pictureUrl(issuer, logoFile)} size="s" />
            <a href={`/account/apps/${encodeURIComponent(id)}`}>
              <bdi translate="no">{name}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}
