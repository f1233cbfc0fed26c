import { useTranslations } from 'next-intl'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Icon } from '#app/_ui/icon.tsx'
import styles from './bound-address.module.css'

/** The bound address, with links to change and to remove it. */
export function BoundAddress({ address }: { address: string }) {
  const t = useTranslations('email')
  return (
    <Card
      title={t('bound')}
      actions={
        <>
          <ButtonLink href="/account/email/change" look="secondary">
            {t('change')}
          </ButtonLink>
          <ButtonLink href="/account/email/remove" look="quiet">
            {t('remove')}
          </ButtonLink>
        </>
      }
    >
      <div className={styles.line}>
        <bdi className={styles.address} translate="no">
          {address}
        </bdi>
        <span className={styles.verified}>
          <Icon name="check" size={16} />
          {t('verified')}
        </span>
      </div>
    </Card>
  )
}
