import { useTranslations } from 'next-intl'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Icon } from '#app/_ui/icon.tsx'
import { graceDays } from '#lib/account/data/deletion'

/** Links to the page that explains and starts the deletion. */
export function DeletionCard() {
  const t = useTranslations('data.delete')
  return (
    <Card
      title={t('title')}
      actions={
        <ButtonLink href="/account/data/delete" look="secondary" icon={<Icon name="trash" />}>
          {t('open')}
        </ButtonLink>
      }
    >
      <p>{t('what', { days: graceDays })}</p>
    </Card>
  )
}
