import { useTranslations } from 'next-intl'
import { Card } from '#app/_ui/card.tsx'

/** How many relay addresses the person has, and how many of them forward mail. */
export function RelaySummary({ count, on }: { count: number; on: number }) {
  const t = useTranslations('overview.relay')
  return (
    <Card title={t('title')}>
      <p>{count === 0 ? t('none') : t('count', { count, on })}</p>
      <p>
        <a href="/account/hide-my-email">{t('more')}</a>
      </p>
    </Card>
  )
}
